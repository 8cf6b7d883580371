import { isPlainObject, memberOf } from '../../../core/lib/json/members.ts';
import { toQuantity } from '../../../core/lib/text/quantity.ts';
import { paramsOf, withParams } from '../jsonrpc/params.ts';

/**
 * The most gas that a call may compute with, by the service that is called. A call that is never mined costs its caller nothing, and
 * anvil cannot be stopped: with that of the admin URL it takes some seconds of one processor and two hundred megabytes. At the public
 * URL it is what geth's `--rpc.gascap` is without configuration.
 */
export const maxCallGas = { admin: 1_000_000_000n, public: 50_000_000n } as const;
/** The most that a block may have: what a genesis may have, too. A call that names no gas computes with it. */
const maxBlockGas = 10_000_000_000n;

const gasMembers = ['gas', 'gasLimit'];
const calls = new Set(['eth_call', 'eth_estimateGas', 'eth_createAccessList', 'debug_traceCall']);
const blockLimits = new Set(['evm_setBlockGasLimit', 'anvil_setBlockGasLimit']);

/** A call that only computes, as JSON text, with no more gas than that; undefined if it is sent as it is. */
export function withGasCap(method: string, text: string, most: bigint): string | undefined {
  const isSimulation = method === 'eth_simulateV1';
  if (!isSimulation && !calls.has(method)) return undefined;
  // Most calls name no gas, and are not read for it. A name may be written with escapes.
  if (!text.includes('"gas') && !text.includes('\\')) return undefined;
  const params = paramsOf(text);
  const capped = isSimulation
    ? [cappedBlocks(params[0], most), ...params.slice(1)]
    : params.map((param) => cappedParam(param, most));
  return capped.every((one, at) => one === params[at]) ? undefined : withParams(text, capped);
}

/** Why a block gas limit is refused, with the remedy. */
export function blockGasFault(method: string, text: string): string | undefined {
  if (!blockLimits.has(method)) return undefined;
  const [limit] = paramsOf(text);
  if (!isAbove(limit, maxBlockGas)) return undefined;
  return `the block gas limit is too high: set at most ${maxBlockGas}`;
}

/** A parameter: the call itself, overrides of the block, or options that have such overrides. */
function cappedParam(param: unknown, most: bigint): unknown {
  const call = cappedCall(param, most);
  return cappedMember(call, 'blockOverrides', most);
}

function cappedMember(value: unknown, name: string, most: bigint): unknown {
  const inner = memberOf(value, name);
  const capped = cappedCall(inner, most);
  return capped === inner || !isPlainObject(value) ? value : { ...value, [name]: capped };
}

/** An object whose members that say how much gas are at most so much. */
function cappedCall(call: unknown, most: bigint): unknown {
  if (!isPlainObject(call)) return call;
  const tooHigh = gasMembers.filter((name) => isAbove(memberOf(call, name), most));
  if (tooHigh.length === 0) return call;
  return { ...call, ...Object.fromEntries(tooHigh.map((name) => [name, toQuantity(most)])) };
}

const callsIn = (block: unknown): unknown[] => {
  const calls = memberOf(block, 'calls');
  return Array.isArray(calls) ? calls : [];
};

/** All calls of a simulation that name their gas have together what one call may have. */
function cappedBlocks(options: unknown, most: bigint): unknown {
  const blocks = memberOf(options, 'blockStateCalls');
  if (!isPlainObject(options) || !Array.isArray(blocks)) return options;
  const count = blocks.reduce<number>((sum, block) => sum + callsIn(block).length, 0);
  const share = most / BigInt(Math.max(1, count));
  const capped = blocks.map((given: unknown) => {
    const block = cappedMember(given, 'blockOverrides', most);
    const inner = callsIn(block);
    const next = inner.map((call) => cappedCall(call, share));
    const isSame = !isPlainObject(block) || next.every((call, at) => call === inner[at]);
    return isSame ? block : { ...block, calls: next };
  });
  return capped.every((block, at) => block === blocks[at])
    ? options
    : { ...options, blockStateCalls: capped };
}

/** Of the largest number of 256 bits, in decimal. A longer text takes time in proportion to the square of its length. */
const maxDigits = 78;

/** Whether a number of gas is above a limit. One that cannot be read is, because a node may read it. */
function isAbove(value: unknown, most: bigint): boolean {
  if (typeof value !== 'string' && typeof value !== 'number') return false;
  if (String(value).length > maxDigits) return true;
  try {
    return BigInt(value) > most;
  } catch {
    return true;
  }
}
