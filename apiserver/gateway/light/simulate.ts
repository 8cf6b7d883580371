import type { EvmRpc } from '../../../core/evm/rpc.ts';
import { isObject } from '../../../core/lib/json/members.ts';
import type { OwnAnswer } from '../policy/policy.ts';
import { hexOf, quantityOf } from './params.ts';

/**
 * `eth_simulateV1` as the execution API has it: each simulated block follows the one before it, and without `validation` gas costs
 * nothing. anvil gives the first block the number and the base fee of the one that it follows.
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
  if (height === undefined || !isObject(base))
    return { error: { code: -32000, message: 'header not found' } };
  const free = payload.validation === true ? {} : { baseFeePerGas: '0x0' };
  const blockStateCalls = payload.blockStateCalls.map((one: unknown, index) => {
    const given = isObject(one) ? one : {};
    const overrides = isObject(given.blockOverrides) ? given.blockOverrides : {};
    return { ...given, blockOverrides: { number: hexOf(height + 1 + index), ...free, ...overrides } };
  });
  const simulated = await rpc.call('eth_simulateV1', [{ ...payload, blockStateCalls }, block]);
  return { result: Array.isArray(simulated) ? linked(simulated, base.hash) : simulated };
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
