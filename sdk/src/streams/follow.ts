import type { Follow, Open } from '../call.ts';
import type { Runtime } from '../runtime.ts';
import { again } from './again.ts';
import { partsOf } from './parts.ts';
import { createParser } from './serverSentEvents.ts';

/** The service sends something every 15 seconds. */
const quietMs = 45_000;

/**
 * Follows a stream of JSON that begins with what is newest, so that nothing is resumed: the next connection goes on. Ends when
 * the network no longer runs; throws SlipwayError when the first connection is refused.
 */
export function createFollow(open: Open, runtime: Runtime): Follow {
  return (path, { signal, workspace }) =>
    again(runtime, signal, async function* (progress) {
      const response = await open('GET', path, { accept: 'text/event-stream', signal, workspace });
      progress.hasBegun = true;
      const parse = createParser();
      for await (const part of partsOf(response, runtime, quietMs)) {
        for (const { data } of parse(part).messages) yield JSON.parse(data);
      }
    });
}
