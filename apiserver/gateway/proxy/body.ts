import type { IncomingMessage } from 'node:http';
import { AppError } from '../../../core/lib/errors.ts';
import type { Hold } from '../../http/limits/memoryBudget.ts';
import { discardedBytes, receive, receiveNow } from '../../http/pipeline/receive.ts';
import type { Admitted, GatewayCore } from '../core.ts';

export interface Body {
  bytes: Buffer;
  /** Charges what is made of it, or of its answer, to the same memory. Throws Unavailable. */
  take(bytes: number): void;
  /** Gives its memory back. Call it once the request is answered. */
  release(): void;
}

/** What waits in the process for a caller who is slower than the node: a part of the answer, and what the streams hold. */
export const behindBytes = 128 * 1024;

/**
 * Reads the body of a request to a network; at once if it is here already. Fails like `receive`, and with UnsupportedMediaType
 * for a compressed body. Resolves to undefined if the caller disconnects.
 */
export function readBody(
  { deps, memory, budgets }: Pick<GatewayCore, 'deps' | 'memory' | 'budgets'>,
  { networkUid, workspace }: Pick<Admitted, 'networkUid' | 'workspace'>,
  request: IncomingMessage,
): Body | Promise<Body | undefined> {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw new AppError(
      'UnsupportedMediaType',
      'a body with Content-Encoding is not supported: send it uncompressed',
    );
  }
  const hold = memory.open('network', networkUid, workspace);
  const limitBytes = deps.settings.maxBodyBytes;
  try {
    const bytes = receiveNow(request, { limitBytes, hold });
    if (bytes) return { bytes, take: hold.take, release: hold.release };
  } catch (error) {
    hold.release();
    throw error;
  }
  return awaitBody({ deps, budgets }, request, hold);
}

async function awaitBody(
  { deps, budgets }: Pick<GatewayCore, 'deps' | 'budgets'>,
  request: IncomingMessage,
  hold: Hold,
): Promise<Body | undefined> {
  try {
    const onSlow = () => budgets.refused('uploadSpeed');
    const limitBytes = deps.settings.maxBodyBytes;
    // A proxy that is still sending would take the early answer for a broken connection. Without a length, nobody knows the end.
    const discarded = request.headers['content-length'] === undefined ? 0 : discardedBytes;
    const options = { limitBytes, discardedBytes: discarded, hold, clock: deps.clock, onSlow };
    const bytes = await receive(request, options);
    if (bytes) return { bytes, take: hold.take, release: hold.release };
    hold.release();
    return undefined;
  } catch (error) {
    hold.release();
    throw error;
  }
}
