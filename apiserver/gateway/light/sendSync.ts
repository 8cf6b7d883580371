import { awaitReceipts } from '../../../core/evm/receipts.ts';
import type { EvmRpc } from '../../../core/evm/rpc.ts';
import type { OwnAnswer } from '../policy/policy.ts';
import { invalidParams, unanswered } from './answers.ts';
import { quantityOf } from './quantity.ts';

/** EIP-7966: a caller may say how long it waits; the service has a limit. */
const defaultMs = 2000;
const longestMs = 30_000;
/** Between two questions for a receipt, and how many wait before each asks less often. */
const pollMs = 25;
const manyWaiting = 20;
let waiting = 0;

/** anvil takes no timeout, and waits without end for what is not mined. */
export async function sendSync(
  rpc: EvmRpc,
  [raw, timeout]: readonly unknown[],
): Promise<OwnAnswer | undefined> {
  if (typeof raw !== 'string') return undefined;
  const limitMs = timeout === undefined || timeout === null ? defaultMs : quantityOf(timeout);
  if (limitMs === undefined || limitMs <= 0 || limitMs > longestMs) {
    return invalidParams(`the timeout is invalid: send 1 to ${longestMs} milliseconds`);
  }
  try {
    const hash = String(await rpc.call('eth_sendRawTransaction', [raw]));
    return (await receiptOf(rpc, hash, limitMs)) ?? notMined(hash, limitMs);
  } catch (error) {
    const message = 'the node did not answer; the transaction may have been sent: look for it by its hash';
    return unanswered(error, message);
  }
}

async function receiptOf(rpc: EvmRpc, hash: string, limitMs: number): Promise<OwnAnswer | undefined> {
  waiting += 1;
  try {
    const options = { timeoutMs: limitMs, pollMs: pollMs * Math.max(1, waiting / manyWaiting) };
    await awaitReceipts(rpc, [hash], options);
  } finally {
    waiting -= 1;
  }
  const receipt = await rpc.call('eth_getTransactionReceipt', [hash]);
  return receipt ? { result: receipt } : undefined;
}

function notMined(hash: string, limitMs: number): OwnAnswer {
  const message = `the transaction was added to the pool and not mined within ${limitMs} ms`;
  return { error: { code: 4, message, data: hash } };
}
