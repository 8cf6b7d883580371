import type { EvmRpc } from '../../../core/evm/rpc.ts';
import { isObject } from '../../../core/lib/json/members.ts';
import { cut } from '../../../core/lib/text/foreignText.ts';
import { toQuantity } from '../../../core/lib/text/quantity.ts';
import { maxSimulatedBlocks } from '../policy/listLimits.ts';
import type { OwnAnswer } from '../policy/policy.ts';
import { invalidParams, serverError } from './answers.ts';
import { baseFeeAfter } from './feeHistory.ts';
import { decimalOf, quantityOf } from './quantity.ts';

/**
 * `eth_simulateV1` as the execution API has it: each simulated block follows the one before it, with empty blocks where the caller
 * leaves out numbers, and without `validation` gas costs nothing. anvil gives the first block the number and the base fee of the
 * one that it follows.
 */
export async function simulate(
  rpc: EvmRpc,
  [payload, block = 'latest']: readonly unknown[],
): Promise<OwnAnswer | undefined> {
  if (!isObject(payload) || !Array.isArray(payload.blockStateCalls)) return undefined;
  const tag = isObject(block) ? (block.blockHash ?? block.blockNumber) : block;
  const isHash = typeof tag === 'string' && tag.length === 66;
  const base = await rpc.call(isHash ? 'eth_getBlockByHash' : 'eth_getBlockByNumber', [tag, false]);
  const height = isObject(base) ? quantityOf(base.number) : undefined;
  if (height === undefined || !isObject(base)) return serverError('header not found');
  const baseFeePerGas = payload.validation === true ? await baseFeeAfter(rpc, height) : '0x0';
  const blocks = numbered(payload.blockStateCalls, height);
  if (!('list' in blocks)) return blocks;
  const blockStateCalls = blocks.list.map((one) => ({
    ...one,
    blockOverrides: { baseFeePerGas, ...one.blockOverrides },
  }));
  const simulated = await rpc.call('eth_simulateV1', [{ ...payload, blockStateCalls }, block]);
  return { result: Array.isArray(simulated) ? linked(simulated, base.hash) : simulated };
}

interface Numbered {
  blockOverrides: object;
}

/** Blocks with their numbers, and those between them. */
function numbered(given: readonly unknown[], height: number): { list: Numbered[] } | OwnAnswer {
  const list: Numbered[] = [];
  for (const one of given) {
    const block = isObject(one) ? one : {};
    const overrides = isObject(block.blockOverrides) ? block.blockOverrides : {};
    const next = height + 1 + list.length;
    const wanted = overrides.number ?? next;
    const number = quantityOf(wanted);
    if (number === undefined) {
      return invalidParams(
        `blockOverrides.number is not a quantity of at most 64 bits: ${cut(String(wanted), 40)}`,
      );
    }
    if (number < next) {
      const message = `block numbers must be in order: ${number} <= ${next - 1}`;
      return { error: { code: -38020, message } };
    }
    if (number - height > maxSimulatedBlocks) {
      const message = `too many blocks, with those before block ${decimalOf(wanted)}: at most ${maxSimulatedBlocks}`;
      return { error: { code: -38026, message } };
    }
    for (let empty = next; empty < number; empty += 1)
      list.push({ blockOverrides: { number: toQuantity(empty) } });
    list.push({ ...block, blockOverrides: { ...overrides, number: toQuantity(number) } });
  }
  return { list };
}

/** Blocks with the hash of the block before each, and calls whose failures are written as clients read them. */
function linked(blocks: readonly unknown[], base: unknown): unknown[] {
  let parentHash = base;
  return blocks.map((block) => {
    if (!isObject(block)) return block;
    const calls = Array.isArray(block.calls) ? block.calls.map(asGeth) : block.calls;
    const own = { ...block, parentHash, calls };
    parentHash = block.hash;
    return own;
  });
}

/** anvil has codes of its own, and the data of a revert beside the error. */
function asGeth(call: unknown): unknown {
  if (!isObject(call) || !isObject(call.error)) return call;
  const data = call.returnData;
  if (typeof data !== 'string' || data === '0x') return { ...call, error: { ...call.error, code: -32015 } };
  return { ...call, error: { code: 3, message: 'execution reverted', data } };
}
