import { isSlipwayError } from '../../../../../sdk/src/error.ts';
import type { Reader } from '../../reader.ts';
import { type Abi, revertReason } from '../abi.ts';
import { revertDataIn } from '../model.ts';
import { texts } from './texts.ts';

/** A transaction as a node would try it. */
interface Tried {
  from?: string | undefined;
  to?: string | undefined;
  data: string;
  /** In wei. */
  value: string;
}

/**
 * What sending answered. Rejects with the contract's own reason where that is why the transaction was refused, and else as it
 * did.
 */
export async function explained<T>(
  sending: Promise<T>,
  { reader, abi }: { reader: Pick<Reader, 'ask'>; abi: Abi | undefined },
  tried: Tried,
): Promise<T> {
  try {
    return await sending;
  } catch (error) {
    const reason = isRefusal(error) ? await revertOf(reader, tried, abi).catch(() => undefined) : undefined;
    throw reason === undefined ? error : new Error(texts.wouldRevert(reason));
  }
}

/** Whether nothing was sent. After any other error of the service, what would revert now may be what was sent a moment ago. */
function isRefusal(error: unknown): boolean {
  const told = error instanceof Error && isSlipwayError(error.cause) ? error.cause : error;
  return !isSlipwayError(told) || isSlipwayError(told, 'BadRequest');
}

/** Why a transaction reverts at the newest block; undefined if it does not. */
async function revertOf(
  reader: Pick<Reader, 'ask'>,
  { from, to, data, value }: Tried,
  abi: Abi | undefined,
): Promise<string | undefined> {
  const call = { from, to, data, value: `0x${BigInt(value).toString(16)}` };
  const [answer] = await reader.ask([['eth_call', call, 'latest']]);
  const reason = revertReason(revertDataIn(answer?.error), abi);
  if (reason !== undefined) return reason;
  const message = answer?.error?.message ?? '';
  return message.includes('revert') ? message : undefined;
}
