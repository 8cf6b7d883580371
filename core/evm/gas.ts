import type { TransactionItem } from '../api/rest/transaction.ts';
import { compact } from '../lib/compact.ts';
import type { ErrorDetail } from '../lib/errors.ts';
import { toQuantity } from '../lib/text/quantity.ts';
import { quantitySchema, read } from './answers.ts';
import type { ChainState } from './chainState.ts';
import { revertReason } from './revertReason.ts';
import type { EvmRpc, RpcCall, RpcOutcome } from './rpc.ts';
import { rpcErrorOf } from './rpc.ts';
import { type CallRequest, simulate } from './simulate/simulate.ts';
import type { StateOverrides } from './simulate/stateOverrides.ts';

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
 * Gas limits of a batch: the given ones, or the estimates, a quarter higher for items that run code. `details` names items
 * that would revert or need more than one transaction may have, with paths that start with `[<index>]`.
 */
export function planGas(
  items: readonly TransactionItem[],
  { state, estimates }: { state: ChainState; estimates: Estimates },
): GasPlan {
  const details: ErrorDetail[] = [];
  const limits = items.map((item, index) => {
    if (item.gas_limit !== undefined) return BigInt(item.gas_limit);
    const planned = limitOf(item, estimates[index], state);
    if (typeof planned === 'bigint') return planned;
    details.push({ path: `[${index}].gas_limit`, message: planned.problem });
    return undefined;
  });
  return { limits, details };
}

function limitOf(
  item: TransactionItem,
  estimate: Estimate = { kind: 'failed', reason: 'no answer' },
  state: ChainState,
): bigint | { problem: string } {
  if (estimate.kind === 'failed') {
    const problem = `required: the gas cannot be estimated (${estimate.reason}); set a gas_limit to submit the transaction anyway`;
    return { problem };
  }
  const { least, usual } = estimate.kind === 'gas' ? estimate : blindLimits(item, state);
  if (least > state.maxTransactionGas) {
    return { problem: `would have to be ${least}, which ${beyondMaxGas(state)}` };
  }
  return min(usual, state.maxTransactionGas);
}

/** For people: why a gas limit is too high. */
export function beyondMaxGas({ maxTransactionGas, blockGasLimit }: ChainState): string {
  return maxTransactionGas < blockGasLimit
    ? `is more than a transaction may have on this network, ${maxTransactionGas} (EIP-7825)`
    : `is more than the block gas limit of this network, ${blockGasLimit}`;
}

function blindLimits(item: TransactionItem, state: ChainState) {
  const least = intrinsicGas(item, state);
  const usual = least * blindFactor;
  return { least, usual: usual > blindGas ? usual : blindGas };
}

const min = (a: bigint, b: bigint) => (a < b ? a : b);

/** blind: it may depend on items before it, on a node that cannot simulate them. */
type Estimate =
  | { kind: 'gas'; least: bigint; usual: bigint }
  | { kind: 'failed'; reason: string }
  | { kind: 'blind' };

/** One per item; undefined where the item has a limit. */
type Estimates = readonly (Estimate | undefined)[];

/**
 * Estimates of the items without a limit, for `planGas`, each in the state that those before it leave. A batch of plain
 * transfers is estimated by one call for all identical ones.
 */
export async function estimateGas(rpc: EvmRpc, items: readonly TransactionItem[]): Promise<Estimates> {
  const open = items.slice(0, 1 + items.findLastIndex(({ gas_limit: limit }) => limit === undefined));
  if (open.length > 1 && open.some(({ data }) => data !== '0x')) return estimateInOrder(rpc, open);
  const alone = await estimateAlone(rpc, open);
  const isPlain = open.every((item, index) => isPlainTransfer(item, alone[index]));
  return open.length === 1 || isPlain ? alone : estimateInOrder(rpc, open);
}

/** A transfer to an account without code, which has no effect on what others need. */
function isPlainTransfer({ gas_limit: limit }: TransactionItem, estimate: Estimate | undefined): boolean {
  return limit === Number(transferGas) || (estimate?.kind === 'gas' && estimate.least === transferGas);
}

async function estimateInOrder(rpc: EvmRpc, items: readonly TransactionItem[]): Promise<Estimates> {
  const requests = items.map(callOf);
  const texts = requests.map((request) => JSON.stringify(request));
  const known = new Map<string | undefined, Estimate>();
  const estimates = await simulate(rpc, requests, async (index, overrides) => {
    const { [index]: request } = requests;
    if (!request || items[index]?.gas_limit !== undefined) return undefined;
    const former = known.get(texts[index]);
    if (former && (await isEnough(rpc, { request, overrides }, former))) return former;
    const [outcome] = await rpc.batch([estimateCall(request, overrides)]);
    const estimate = estimateOf(outcome);
    known.set(texts[index], estimate);
    return estimate;
  });
  return estimates ?? estimateTogether(rpc, items);
}

interface InState {
  request: CallRequest;
  overrides: StateOverrides;
}

/** Whether the estimate of an identical item holds here: one execution instead of the many that an estimate takes. */
async function isEnough(rpc: EvmRpc, { request, overrides }: InState, former: Estimate): Promise<boolean> {
  if (former.kind !== 'gas') return false;
  const params = [{ ...request, gas: toQuantity(former.least) }, 'pending', overrides];
  const [outcome] = await rpc.batch([{ method: 'eth_call', params }]);
  return outcome !== undefined && 'result' in outcome;
}

/** For nodes that cannot trace: what the items use as one block, or alone; those that fail alone may depend on others. */
async function estimateTogether(rpc: EvmRpc, items: readonly TransactionItem[]): Promise<Estimates> {
  const [used, alone] = await Promise.all([useTogether(rpc, items), estimateAlone(rpc, items)]);
  return alone.map((estimate, index) => {
    if (index === 0 || !estimate) return estimate;
    return used?.[index] ?? (estimate.kind === 'failed' ? { kind: 'blind' } : estimate);
  });
}

async function estimateAlone(rpc: EvmRpc, items: readonly TransactionItem[]): Promise<Estimates> {
  const texts = items.map((item) =>
    item.gas_limit === undefined ? JSON.stringify(callOf(item)) : undefined,
  );
  const different = [...new Set(texts.filter((text) => text !== undefined))];
  const outcomes = await rpc.batch(different.map((text) => estimateCall(JSON.parse(text))));
  const byText = new Map(different.map((text, index) => [text, estimateOf(outcomes[index])]));
  return texts.map((text) => (text === undefined ? undefined : byText.get(text)));
}

function estimateCall(request: CallRequest, overrides: StateOverrides = {}): RpcCall {
  // Not every node knows the third parameter.
  const more = Object.keys(overrides).length > 0 ? [overrides] : [];
  return { method: 'eth_estimateGas', params: [request, 'pending', ...more] };
}

function callOf({ from, to, value, data, gas_limit: limit }: TransactionItem): CallRequest {
  const gas = limit === undefined ? undefined : toQuantity(BigInt(limit));
  return { from, ...compact({ to, gas }), value: toQuantity(BigInt(value)), data };
}

/** Throws when the node did not answer with an estimate or a failure. */
function estimateOf(outcome: RpcOutcome | undefined): Estimate {
  if (outcome && 'error' in outcome) {
    const error = rpcErrorOf(outcome.error);
    if (!error) throw outcome.error;
    return { kind: 'failed', reason: revertReason(error) };
  }
  const gas = read(quantitySchema, outcome);
  return { kind: 'gas', least: gas, usual: gas === transferGas ? gas : (gas * 5n) / 4n };
}

/** What each item uses after those before it; undefined when the node cannot simulate. */
async function useTogether(rpc: EvmRpc, items: readonly TransactionItem[]): Promise<Estimate[] | undefined> {
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
    if (isDone) return { kind: 'gas', least: gas.data, usual: (gas.data * 3n) / 2n };
    return { kind: 'failed', reason: revertReason({ data: result?.returnData, ...result?.error }) };
  });
}
