import type { TransactionItem } from '../api/rest/transaction.ts';
import { compact } from '../lib/compact.ts';
import type { ErrorDetail } from '../lib/errors.ts';
import { quantitySchema, read } from './answers.ts';
import type { ChainState } from './chainState.ts';
import { revertReason } from './revertReason.ts';
import type { EvmRpc, RpcOutcome } from './rpc.ts';
import { rpcErrorOf } from './rpc.ts';

/** EIP-7825 (Osaka): the maximum gas limit of a transaction. */
const maxTransactionGas = 2n ** 24n;
const transferGas = 21_000n;
const creationGas = 32_000n;
/** For a transaction that cannot be estimated before others of its batch are mined. */
const blindGas = 3_000_000n;
const blindFactor = 15n;

/** How many gas limits, starting with the first, fit into `room` gas. */
export function countFitting(limits: readonly bigint[], room: bigint): number {
  let left = room;
  const end = limits.findIndex((limit) => {
    left -= limit;
    return left < 0n;
  });
  return end === -1 ? limits.length : end;
}

/** Gas that is used before the first instruction (Yellow Paper; EIP-2028, EIP-3860, EIP-7623). */
export function intrinsicGas(
  { to, data }: Pick<TransactionItem, 'to' | 'data'>,
  { hasDataFloor, limitsCreationCode }: Pick<ChainState, 'hasDataFloor' | 'limitsCreationCode'>,
): bigint {
  const bytes = Buffer.from(data.slice(2), 'hex');
  const nonZero = BigInt(bytes.reduce((sum, byte) => sum + (byte === 0 ? 0 : 1), 0));
  const zero = BigInt(bytes.length) - nonZero;
  const words = limitsCreationCode ? BigInt(Math.ceil(bytes.length / 32)) : 0n;
  const creation = to === undefined ? creationGas + 2n * words : 0n;
  const usual = transferGas + creation + 4n * zero + 16n * nonZero;
  const floor = hasDataFloor ? transferGas + 10n * zero + 40n * nonZero : 0n;
  return usual > floor ? usual : floor;
}

export interface GasPlan {
  /** One per item; undefined where `details` names the item. */
  limits: (bigint | undefined)[];
  details: ErrorDetail[];
}

/**
 * Gas limits of a batch: the given ones, or estimates at the pending state, a quarter higher for items that run code.
 * An item whose estimate fails may depend on those before it: then the whole batch is simulated (eth_simulateV1), or,
 * if the node does not support that, the item gets a fixed limit. `details` names items that would revert, with paths
 * that start with `[<index>]`.
 */
export async function planGas(
  rpc: EvmRpc,
  items: readonly TransactionItem[],
  { state, estimates }: { state: ChainState; estimates: Estimates },
): Promise<GasPlan> {
  const isOpen = (index: number) => estimates[index]?.kind === 'failed' && mayDepend(items, index);
  const simulated = items.some((_, index) => isOpen(index)) ? await simulate(rpc, items) : undefined;
  const details: ErrorDetail[] = [];
  const limits = items.map((item, index) => {
    if (item.gas_limit !== undefined) return BigInt(item.gas_limit);
    const estimate = estimates[index] ?? { kind: 'failed', reason: 'no answer' };
    const outcome = isOpen(index) ? (simulated?.[index] ?? { kind: 'blind' as const }) : estimate;
    if (outcome.kind === 'blind') return capped(blindLimit(item, state), state);
    if (outcome.kind === 'gas') return capped(outcome.gas, state);
    const message = `required: the gas cannot be estimated (${outcome.reason}); set a gas_limit to submit the transaction anyway`;
    details.push({ path: `[${index}].gas_limit`, message });
    return undefined;
  });
  return { limits, details };
}

/** Whether an item before it runs code, or pays the same recipient. */
function mayDepend(items: readonly TransactionItem[], index: number): boolean {
  const to = items[index]?.to?.toLowerCase();
  return items.slice(0, index).some((item) => item.data !== '0x' || item.to?.toLowerCase() === to);
}

function blindLimit(item: TransactionItem, state: ChainState): bigint {
  const gas = intrinsicGas(item, state) * blindFactor;
  return gas > blindGas ? gas : blindGas;
}

function capped(gas: bigint, { blockGasLimit }: ChainState): bigint {
  const max = blockGasLimit < maxTransactionGas ? blockGasLimit : maxTransactionGas;
  return gas < max ? gas : max;
}

type Estimate = { kind: 'gas'; gas: bigint } | { kind: 'failed'; reason: string };

/** One per item; undefined where the item has a limit. */
type Estimates = readonly (Estimate | undefined)[];

/** Estimates of the items without a limit, for `planGas`. Makes one call for all identical items. */
export async function estimateGas(rpc: EvmRpc, items: readonly TransactionItem[]): Promise<Estimates> {
  const texts = items.map((item) =>
    item.gas_limit === undefined ? JSON.stringify(callOf(item)) : undefined,
  );
  const different = [...new Set(texts.filter((text) => text !== undefined))];
  const outcomes = await rpc.batch(
    different.map((text) => ({ method: 'eth_estimateGas', params: [JSON.parse(text), 'pending'] })),
  );
  const byText = new Map(different.map((text, index) => [text, estimateOf(outcomes[index])]));
  return texts.map((text) => (text === undefined ? undefined : byText.get(text)));
}

function callOf({ from, to, value, data }: TransactionItem): Record<string, string> {
  return { from, ...compact({ to }), value: hexOf(BigInt(value)), data };
}

function hexOf(value: bigint): string {
  return `0x${value.toString(16)}`;
}

/** Throws when the node did not answer with an estimate or a failure. */
function estimateOf(outcome: RpcOutcome | undefined): Estimate {
  if (outcome && 'error' in outcome) {
    const error = rpcErrorOf(outcome.error);
    if (!error) throw outcome.error;
    return { kind: 'failed', reason: revertReason(error) };
  }
  const gas = read(quantitySchema, outcome);
  return { kind: 'gas', gas: gas === transferGas ? gas : (gas * 5n) / 4n };
}

/** What each item does after those before it; undefined when the node cannot simulate. */
async function simulate(rpc: EvmRpc, items: readonly TransactionItem[]): Promise<Estimate[] | undefined> {
  const calls = items.map((item) => {
    const { data, ...call } = callOf(item);
    return { ...call, input: data };
  });
  const request = { blockStateCalls: [{ calls }], validation: false };
  const [outcome] = await rpc.batch([{ method: 'eth_simulateV1', params: [request, 'pending'] }]);
  if (!outcome || 'error' in outcome) return undefined;
  const [block] = Array.isArray(outcome.result) ? outcome.result : [];
  const results: unknown = block?.calls;
  if (!Array.isArray(results) || results.length !== items.length) return undefined;
  return results.map((result): Estimate => {
    const gas = quantitySchema.safeParse(result?.gasUsed);
    const isDone = result?.status === '0x1' && gas.success;
    // Gas used is less than the limit needed: refunds, and the gas that inner calls must leave unused (EIP-150).
    if (isDone) return { kind: 'gas', gas: (gas.data * 3n) / 2n };
    return { kind: 'failed', reason: revertReason({ data: result?.returnData, ...result?.error }) };
  });
}
