import type { Open } from '../call.ts';
import { isSlipwayError } from '../error.ts';
import { isPassing } from '../retry.ts';
import { type Runtime, sleep } from '../runtime.ts';
import { segment } from '../segment.ts';
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

const waitMs = 1_000;

/**
 * The lines that a network writes, without end. The service ends each connection after a while: the next one goes on
 * with new lines, and what was written between the two is not part of it. Ends when the network no longer runs; throws
 * SlipwayError when the first connection is refused.
 */
export function createFollowLogs(open: Open, runtime: Runtime): FollowLogs {
  return async function* followLogs(networkId, options = {}) {
    const progress = { hasBegun: false };
    for (;;) {
      try {
        yield* connection(open, runtime, { networkId, options, progress });
      } catch (error) {
        if (isOver(error, progress.hasBegun, options.signal)) return;
      }
      await sleep(runtime, waitMs, options.signal);
    }
  };
}

interface Following {
  networkId: string;
  options: FollowOptions;
  progress: { hasBegun: boolean };
}

/** The lines of one connection, until it ends. */
async function* connection(open: Open, runtime: Runtime, { networkId, options, progress }: Following) {
  const { service, tail, signal, workspace } = options;
  const path = `/v1alpha/networks/${segment(networkId)}/logs`;
  const query = { follow: 'true', service, tail: progress.hasBegun ? 0 : tail };
  const response = await open('GET', path, { query, accept: 'text/plain', signal, workspace });
  progress.hasBegun = true;
  yield* linesOf(partsOf(response, runtime));
}

/** Whether there is nothing more to come: the network was stopped or deleted, or the key revoked. Throws what the caller must know. */
function isOver(error: unknown, hasBegun: boolean, signal: AbortSignal | undefined): boolean {
  if (signal?.aborted) throw signal.reason;
  if (!hasBegun || !isSlipwayError(error)) throw error;
  return !isPassing(error);
}

async function* linesOf(parts: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  let rest = '';
  for await (const part of parts) {
    const lines = (rest + part).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}
