import type { Open } from '../call.ts';
import type { ChainHead } from '../generated/types.ts';
import type { Runtime } from '../runtime.ts';
import { segment } from '../segment.ts';
import { again } from './again.ts';
import { partsOf } from './parts.ts';
import { createParser } from './serverSentEvents.ts';

interface BlockOptions {
  signal?: AbortSignal | undefined;
  workspace?: string | undefined;
}

export type FollowBlocks = (
  networkId: string,
  options?: BlockOptions,
) => AsyncGenerator<ChainHead, void, undefined>;

/** The service sends something every 15 seconds. */
const quietMs = 45_000;

/**
 * The newest block of a network, and each later one, at most one per second: those in between are left out. Ends when the
 * network no longer runs; throws SlipwayError when the first connection is refused.
 */
export function createFollowBlocks(open: Open, runtime: Runtime): FollowBlocks {
  return (networkId, { signal, workspace } = {}) =>
    again(runtime, signal, async function* (progress) {
      const path = `/v1alpha/networks/${segment(networkId)}/blocks`;
      const response = await open('GET', path, { accept: 'text/event-stream', signal, workspace });
      progress.hasBegun = true;
      const parse = createParser();
      for await (const part of partsOf(response, runtime, quietMs)) {
        for (const { data } of parse(part).messages) yield JSON.parse(data);
      }
    });
}
