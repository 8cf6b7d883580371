import type { Open } from '../call.ts';
import type { Runtime } from '../runtime.ts';
import { segment } from '../segment.ts';
import { again } from './again.ts';
import { linesOf } from './lines.ts';
import { partsOf } from './parts.ts';

export interface FollowOptions {
  /** The part of the network, such as `el-1`; may be left out when it has only one. */
  service?: string | undefined;
  /** How many lines to begin with; 1000 when absent. */
  tail?: number | undefined;
  signal?: AbortSignal | undefined;
  workspace?: string | undefined;
}

export type FollowLogs = (
  networkId: string,
  options?: FollowOptions,
) => AsyncGenerator<string, void, undefined>;

/**
 * The lines that a network writes, without end. The service ends each connection after a while: the next one goes on
 * with new lines, and what was written between the two is not part of it. Ends when the network no longer runs; throws
 * SlipwayError when the first connection is refused.
 */
export function createFollowLogs(open: Open, runtime: Runtime): FollowLogs {
  return (networkId, { service, tail, signal, workspace } = {}) =>
    again(runtime, signal, async function* (progress) {
      const path = `/v1alpha/networks/${segment(networkId)}/logs`;
      const query = { follow: 'true', service, tail: progress.hasBegun ? 0 : tail };
      const response = await open('GET', path, { query, accept: 'text/plain', signal, workspace });
      progress.hasBegun = true;
      yield* linesOf(partsOf(response, runtime));
    });
}
