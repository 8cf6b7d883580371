import { messageOf } from '../../../core/lib/errors.ts';
import { isObject } from '../../../core/lib/json/members.ts';
import { createTally } from '../../../core/lib/work/tally.ts';
import type { AssistContext, OwnAnswer } from '../policy/policy.ts';
import { rpcCodes } from '../policy/screen.ts';
import { invalidParams, limitExceeded, unanswered } from './answers.ts';
import { quantityOf } from './quantity.ts';

/** EIP-7966: a caller may say how long it waits; the service has a limit. */
const defaultMs = 2000;
const longestMs = 30_000;
/** Between two questions for a receipt, and how many wait before each asks less often. */
const pollMs = 25;
const manyWaiting = 20;
const maxWaiting = 200;
/** Calls that wait for a receipt, by network. */
const waiting = createTally();

/** anvil takes no timeout, and waits without end for what is not mined. */
export async function sendSync(
  context: AssistContext,
  [raw, timeout]: readonly unknown[],
): Promise<OwnAnswer | undefined> {
  if (typeof raw !== 'string') return undefined;
  const limitMs = timeout === undefined || timeout === null ? defaultMs : quantityOf(timeout);
  if (limitMs === undefined || limitMs <= 0 || limitMs > longestMs) {
    return invalidParams(`the timeout is invalid: send 1 to ${longestMs} milliseconds`);
  }
  const { networkUid } = context;
  if (waiting.of(networkUid) >= maxWaiting) {
    const remedy = 'send eth_sendRawTransaction, or wait for one of them';
    return limitExceeded(`${maxWaiting} transactions of this network are waited for already: ${remedy}`);
  }
  waiting.add(networkUid, 1);
  try {
    return await sendAndWait(context, raw, limitMs);
  } catch (error) {
    const message = 'the node did not answer; the transaction may have been sent: look for it by its hash';
    return unanswered(error, message);
  } finally {
    waiting.add(networkUid, -1);
  }
}

async function sendAndWait(context: AssistContext, raw: string, limitMs: number): Promise<OwnAnswer> {
  const { rpc, clock, signal, networkUid, noteDone } = context;
  const endMs = clock.nowMs() + limitMs;
  const hash = String(await rpc.call('eth_sendRawTransaction', [raw]));
  noteDone();
  for (;;) {
    // A node that is not reached may be back in a moment.
    const asked = await rpc.call('eth_getTransactionReceipt', [hash]).catch((error: unknown) => ({ error }));
    if (isObject(asked) && !('error' in asked)) return { result: asked };
    if (clock.nowMs() >= endMs)
      return isObject(asked) ? unknownReceipt(hash, asked.error) : notMined(hash, limitMs);
    await clock.sleep(pollMs * Math.max(1, waiting.of(networkUid) / manyWaiting), signal);
  }
}

function unknownReceipt(hash: string, error: unknown): OwnAnswer {
  const message = `the transaction was sent, and its receipt could not be read: ${messageOf(error)}`;
  return { error: { code: rpcCodes.internal, message, data: hash } };
}

function notMined(hash: string, limitMs: number): OwnAnswer {
  const message = `the transaction was added to the pool and not mined within ${limitMs} ms`;
  return { error: { code: 4, message, data: hash } };
}
