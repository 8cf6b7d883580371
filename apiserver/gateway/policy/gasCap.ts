import { isPlainObject, memberOf } from '../../../core/lib/json/members.ts';
import { toQuantity } from '../../../core/lib/text/quantity.ts';
import { paramsOf, withParams } from '../jsonrpc/params.ts';

/**
 * The most gas that a call may compute with, as `--rpc.gascap` of geth: a call that is never mined costs its caller nothing, and
 * anvil cannot be stopped. It takes some seconds of one processor.
 */
export const maxCallGas = 1_000_000_000n;
/** The most that a block may have: what a genesis may have, too. A call that names no gas computes with it. */
const maxBlockGas = 10_000_000_000n;

const gasMembers = ['gas', 'gasLimit'];
const calls = new Set(['eth_call', 'eth_estimateGas', 'eth_createAccessList', 'debug_traceCall']);
const blockLimits = new Set(['evm_setBlockGasLimit', 'anvil_setBlockGasLimit']);

/** A call that only computes, as JSON text, with no more gas than that; undefined if it is sent as it is. */
export function withGasCap(method: string, text: string): string | undefined {
  const isSimulation = method === 'eth_simulateV1';
  if (!isSimulation && !calls.has(method)) return undefined;
  // Most calls name no gas, and are not read for it. A name may be written with escapes.
  if (!text.includes('"gas') && !text.includes('\\')) return undefined;
  const [first, ...rest] = paramsOf(text);
  const capped = isSimulation ? cappedBlocks(first) : cappedCall(first);
  return capped === first ? undefined : withParams(text, [capped, ...rest]);
}

/** Why a block gas limit is refused, with the remedy. */
export function blockGasFault(method: string, text: string): string | undefined {
  if (!blockLimits.has(method)) return undefined;
  const [limit] = paramsOf(text);
  const gas = gasIn(limit);
  if (gas === undefined || gas <= maxBlockGas) return undefined;
  return `a block gas limit of ${gas} is too high: set at most ${maxBlockGas}`;
}

function cappedCall(call: unknown): unknown {
  if (!isPlainObject(call)) return call;
  const tooHigh = gasMembers.filter((name) => (gasIn(memberOf(call, name)) ?? 0n) > maxCallGas);
  if (tooHigh.length === 0) return call;
  return { ...call, ...Object.fromEntries(tooHigh.map((name) => [name, toQuantity(maxCallGas)])) };
}

function cappedBlocks(options: unknown): unknown {
  const blocks = memberOf(options, 'blockStateCalls');
  if (!isPlainObject(options) || !Array.isArray(blocks)) return options;
  const capped = blocks.map((block: unknown) => {
    const inner = memberOf(block, 'calls');
    if (!isPlainObject(block) || !Array.isArray(inner)) return block;
    const next = inner.map(cappedCall);
    return next.every((call, at) => call === inner[at]) ? block : { ...block, calls: next };
  });
  return capped.every((block, at) => block === blocks[at])
    ? options
    : { ...options, blockStateCalls: capped };
}

/** A number of gas, written as nodes accept it; undefined if it is none. */
function gasIn(value: unknown): bigint | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  try {
    return BigInt(value);
  } catch {
    return undefined;
  }
}
