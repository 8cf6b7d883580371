import { awaitReceipts } from '../../../core/evm/receipts.ts';
import type { EvmRpc } from '../../../core/evm/rpc.ts';
import { isKnownTransaction } from '../../../core/evm/transactions.ts';
import { isObject } from '../../../core/lib/json/members.ts';
import type { Assist, OwnAnswer } from '../policy/policy.ts';
import { hexOf, paramsOf, quantityOf } from './params.ts';
import { revert } from './revert.ts';
import { simulate } from './simulate.ts';

/**
 * Calls that the light engine answers wrongly, or that would break its chain: the gateway asks the engine first, and answers
 * itself. Undefined for all others, which are forwarded.
 */
export function lightAssist(method: string, text: string): Assist | undefined {
  const assist = assists.get(method);
  return assist && ((rpc) => assist(rpc, paramsOf(text)));
}

type AssistWith = (rpc: EvmRpc, params: readonly unknown[]) => Promise<OwnAnswer | undefined>;

/** anvil answers a trace without steps for a transaction that it does not have. */
async function trace(rpc: EvmRpc, [hash]: readonly unknown[]): Promise<OwnAnswer | undefined> {
  if (typeof hash !== 'string' || (await isKnownTransaction(rpc, hash))) return undefined;
  return { error: { code: -32000, message: 'transaction not found' } };
}

/** anvil ends each history with the base fee after its newest block, and does not know what `safe` and `finalized` are here. */
async function feeHistory(
  rpc: EvmRpc,
  [count, newest, ...rest]: readonly unknown[],
): Promise<OwnAnswer | undefined> {
  if (newest === 'latest' || newest === 'pending') return undefined;
  const head = quantityOf(await rpc.call('eth_blockNumber', []));
  const last = quantityOf(newest) ?? (await numberOf(rpc, newest));
  if (head === undefined || last === undefined) return undefined;
  if (last > head) {
    const message = `request beyond head block: requested ${last}, head ${head}`;
    return { error: { code: -32000, message } };
  }
  const history = await rpc.call('eth_feeHistory', [count, hexOf(last), ...rest]);
  const next = last === head ? undefined : await rpc.call('eth_getBlockByNumber', [hexOf(last + 1), false]);
  if (!isObject(history) || !Array.isArray(history.baseFeePerGas) || !isObject(next))
    return { result: history };
  const baseFeePerGas = [...history.baseFeePerGas.slice(0, -1), next.baseFeePerGas];
  return { result: { ...history, baseFeePerGas } };
}

async function numberOf(rpc: EvmRpc, tag: unknown): Promise<number | undefined> {
  const block = await rpc.call('eth_getBlockByNumber', [tag, false]);
  return isObject(block) ? quantityOf(block.number) : undefined;
}

/** anvil estimates transfers that the sender cannot pay. */
async function estimate(rpc: EvmRpc, [call, block = 'latest', overrides]: readonly unknown[]) {
  if (!isObject(call) || typeof call.from !== 'string' || overrides !== undefined) return undefined;
  const value = amountOf(call.value);
  if (value === 0n) return undefined;
  const balance = amountOf(await rpc.call('eth_getBalance', [call.from, block]));
  if (balance >= value) return undefined;
  const message = `insufficient funds for gas * price + value: address ${call.from} have ${balance} want ${value}`;
  return { error: { code: -32000, message } };
}

const amountOf = (value: unknown): bigint =>
  typeof value === 'string' && /^0x[0-9a-f]{1,64}$/i.test(value) ? BigInt(value) : 0n;

/** EIP-7966: a caller may say how long it waits; the service has a limit. */
const defaultSyncMs = 2000;
const longestSyncMs = 30_000;
const pollMs = 25;

/** anvil takes no timeout, and waits without end for what is not mined. */
async function sendSync(rpc: EvmRpc, [raw, timeout]: readonly unknown[]): Promise<OwnAnswer | undefined> {
  if (typeof raw !== 'string') return undefined;
  const limitMs = timeout === undefined || timeout === null ? defaultSyncMs : quantityOf(timeout);
  if (limitMs === undefined || limitMs <= 0 || limitMs > longestSyncMs) {
    const message = `the timeout is invalid: send 1 to ${longestSyncMs} milliseconds`;
    return { error: { code: -32602, message } };
  }
  const hash = await rpc.call('eth_sendRawTransaction', [raw]);
  if (typeof hash !== 'string') return undefined;
  await awaitReceipts(rpc, [hash], { timeoutMs: limitMs, pollMs });
  const receipt = await rpc.call('eth_getTransactionReceipt', [hash]);
  if (receipt) return { result: receipt };
  const message = `the transaction was added to the pool and not mined within ${limitMs} ms`;
  return { error: { code: 4, message, data: hash } };
}

const assists = new Map<string, AssistWith>([
  ['evm_revert', revert],
  ['anvil_revert', revert],
  ['debug_traceTransaction', trace],
  ['eth_feeHistory', feeHistory],
  ['eth_estimateGas', estimate],
  ['eth_sendRawTransactionSync', sendSync],
  ['eth_simulateV1', simulate],
]);
