import type { EvmRpc } from '../../../core/evm/rpc.ts';
import { isObject } from '../../../core/lib/json/members.ts';
import { toQuantity } from '../../../core/lib/text/quantity.ts';
import type { OwnAnswer } from '../policy/policy.ts';
import { serverError } from './answers.ts';
import { quantityOf } from './quantity.ts';

/** What geth answers when no blocks are asked for; anvil answers for one. */
const nothing = { oldestBlock: '0x0', gasUsedRatio: null };

/** anvil ends each history with the base fee after its newest block, and does not know what `safe` and `finalized` are here. */
export async function feeHistory(
  rpc: EvmRpc,
  [count, newest, ...rest]: readonly unknown[],
): Promise<OwnAnswer | undefined> {
  if (quantityOf(count) === 0) return { result: nothing };
  if (newest === 'latest' || newest === 'pending') return undefined;
  const head = quantityOf(await rpc.call('eth_blockNumber', []));
  const last = quantityOf(newest) ?? (await numberOf(rpc, newest));
  if (head === undefined || last === undefined) return undefined;
  if (last > head) return serverError(`request beyond head block: requested ${last}, head ${head}`);
  const history = await rpc.call('eth_feeHistory', [count, toQuantity(last), ...rest]);
  const next =
    last === head ? undefined : await rpc.call('eth_getBlockByNumber', [toQuantity(last + 1), false]);
  if (!isObject(history) || !Array.isArray(history.baseFeePerGas) || !isObject(next))
    return { result: history };
  const baseFeePerGas = [...history.baseFeePerGas.slice(0, -1), next.baseFeePerGas];
  return { result: { ...history, baseFeePerGas } };
}

async function numberOf(rpc: EvmRpc, tag: unknown): Promise<number | undefined> {
  const block = await rpc.call('eth_getBlockByNumber', [tag, false]);
  return isObject(block) ? quantityOf(block.number) : undefined;
}

/** The base fee of the block after a block of the chain. */
export async function baseFeeAfter(rpc: EvmRpc, number: number): Promise<unknown> {
  const newest = toQuantity(number);
  const own = await feeHistory(rpc, ['0x1', newest, []]);
  const history = own && 'result' in own ? own.result : undefined;
  return isObject(history) && Array.isArray(history.baseFeePerGas) ? history.baseFeePerGas.at(-1) : undefined;
}
