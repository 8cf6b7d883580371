import { z } from 'zod';
import { read } from '../../../core/evm/answers.ts';
import type { EvmRpc, RpcCall } from '../../../core/evm/rpc.ts';
import { compact } from '../../../core/lib/compact.ts';
import { isObject, memberOf } from '../../../core/lib/json/members.ts';
import { toQuantity } from '../../../core/lib/text/quantity.ts';
import type { OwnAnswer } from '../policy/policy.ts';
import { serverError } from './answers.ts';
import { amountOf, decimalOf, quantityOf } from './quantity.ts';

type Reader = Pick<EvmRpc, 'call' | 'batch'>;

/** What geth answers when no blocks are asked for; anvil answers for one. */
const nothing = { oldestBlock: '0x0', gasUsedRatio: null };
/** geth answers for as many when more are asked for. */
const maxBlocks = 1024;
/** The gateway works out what the engine does not know of so many blocks, and answers for no more, as nodes may. */
const maxOwnBlocks = 256;
/** The engine has the receipts that it is asked for at a time in memory, as the text of one answer. */
const receiptsAtOnce = 4;

/**
 * anvil ends each history with the base fee after its newest block, does not know what `safe` and `finalized` are here, and has no fees of
 * blocks that a former process mined: those that it has then stand where the oldest ones belong.
 */
export async function feeHistory(rpc: Reader, params: readonly unknown[]): Promise<OwnAnswer | undefined> {
  const [count, newest, percentiles, ...rest] = params;
  const blocks = quantityOf(count);
  if (blocks === 0) return { result: nothing };
  if (blocks === undefined) return undefined;
  if (newest === 'latest' || newest === 'pending') {
    const [head, history] = (await rpc.batch([headCall, { method: 'eth_feeHistory', params }])).map((one) =>
      read(z.unknown(), one),
    );
    return { result: await completed(rpc, history, { blocks, last: quantityOf(head), percentiles }) };
  }
  const head = quantityOf(await rpc.call(headCall.method, headCall.params));
  const last = quantityOf(newest) ?? (await numberOf(rpc, newest));
  if (head === undefined || last === undefined) return undefined;
  if (last > head)
    return serverError(`request beyond head block: requested ${decimalOf(newest)}, head ${head}`);
  const given = await rpc.call('eth_feeHistory', [count, toQuantity(last), percentiles, ...rest]);
  const history = await completed(rpc, given, { blocks, last, percentiles });
  if (last === head || !isObject(history) || !Array.isArray(history.baseFeePerGas))
    return { result: history };
  const next = await rpc.call('eth_getBlockByNumber', [toQuantity(last + 1), false]);
  const baseFeePerGas = [...history.baseFeePerGas.slice(0, -1), memberOf(next, 'baseFeePerGas')];
  return { result: { ...history, baseFeePerGas } };
}

const headCall: RpcCall = { method: 'eth_blockNumber', params: [] };

interface Wanted {
  blocks: number;
  /** The newest one. */
  last: number | undefined;
  percentiles: unknown;
}

/** The engine's history, or that of the blocks where it has too few; it ends with the base fee that the engine ended with. */
async function completed(
  rpc: Reader,
  history: unknown,
  { blocks, last, percentiles }: Wanted,
): Promise<unknown> {
  const fees = memberOf(history, 'baseFeePerGas');
  if (last === undefined || !Array.isArray(fees)) return history;
  const first = Math.max(0, last + 1 - Math.min(blocks, maxBlocks));
  if (fees.length >= last - first + 2) return history;
  const own = await historyOf(rpc, { first: Math.max(first, last + 1 - maxOwnBlocks), last, percentiles });
  return own ? { ...own, baseFeePerGas: [...own.baseFeePerGas, fees.at(-1)] } : history;
}

async function numberOf(rpc: Reader, tag: unknown): Promise<number | undefined> {
  return quantityOf(memberOf(await rpc.call('eth_getBlockByNumber', [tag, false]), 'number'));
}

interface Range {
  first: number;
  last: number;
  percentiles: unknown;
}

/** The history that the blocks themselves tell; undefined if one has blobs, whose base fee no block names. */
async function historyOf(rpc: Reader, { first, last, percentiles }: Range) {
  const numbers = Array.from({ length: last - first + 1 }, (_, index) => toQuantity(first + index));
  const ask = async (calls: RpcCall[]) => (await rpc.batch(calls)).map((one) => read(z.unknown(), one));
  const blocks = await ask(
    numbers.map((number) => ({ method: 'eth_getBlockByNumber', params: [number, false] })),
  );
  if (!blocks.every(hasNoBlobs)) return undefined;
  const rates = Array.isArray(percentiles) ? percentiles.map(Number) : [];
  const receipts: unknown[] = [];
  for (let at = 0; at < numbers.length && rates.length > 0; at += receiptsAtOnce) {
    const some = numbers.slice(at, at + receiptsAtOnce);
    receipts.push(
      ...(await ask(some.map((number) => ({ method: 'eth_getBlockReceipts', params: [number] })))),
    );
  }
  const reward = receipts.map((own, index) => rewardsOf(own, blocks[index], rates));
  return {
    oldestBlock: numbers[0],
    baseFeePerGas: blocks.map((block) => memberOf(block, 'baseFeePerGas')),
    gasUsedRatio: blocks.map(
      (block) => Number(memberOf(block, 'gasUsed')) / Number(memberOf(block, 'gasLimit')),
    ),
    baseFeePerBlobGas: [...blocks, undefined].map(() => '0x1'),
    blobGasUsedRatio: blocks.map(() => 0),
    ...compact({ reward: rates.length > 0 ? reward : undefined }),
  };
}

const hasNoBlobs = (block: unknown): boolean =>
  isObject(block) && ['blobGasUsed', 'excessBlobGas'].every((name) => !quantityOf(block[name]));

/** The tips below which these percentages of a block's gas were paid, as geth counts them. */
function rewardsOf(receipts: unknown, block: unknown, percentiles: readonly number[]): string[] {
  const baseFee = amountOf(memberOf(block, 'baseFeePerGas'));
  const paid = (Array.isArray(receipts) ? receipts : []).map((receipt) => ({
    tip: amountOf(memberOf(receipt, 'effectiveGasPrice')) - baseFee,
    gas: Number(memberOf(receipt, 'gasUsed')),
  }));
  paid.sort((one, other) => (one.tip < other.tip ? -1 : 1));
  const total = Number(memberOf(block, 'gasUsed'));
  return percentiles.map((percentile) => {
    let sum = 0;
    const found = paid.find(({ gas }) => {
      sum += gas;
      return sum >= (total * percentile) / 100;
    });
    return toQuantity(found?.tip ?? 0n);
  });
}

/** The base fee of the block after a block of the chain. */
export async function baseFeeAfter(rpc: Reader, number: number): Promise<unknown> {
  const newest = toQuantity(number);
  const own = await feeHistory(rpc, ['0x1', newest, []]);
  const history = own && 'result' in own ? own.result : undefined;
  return isObject(history) && Array.isArray(history.baseFeePerGas) ? history.baseFeePerGas.at(-1) : undefined;
}
