import { isPlainObject, memberOf } from '../../../core/lib/json/members.ts';
import { paramsOf } from '../jsonrpc/params.ts';

/**
 * How many entries the lists in a call may have, as in geth. Without a limit, a call of some hundred kilobytes asks a node for a
 * hundred megabytes, which the gateway passes on, and which it writes again where keys are short.
 */

/** `maxGetStorageSlots` of geth. */
const maxStorageKeys = 1_024;
/** `--rpc.logquerylimit` of geth, for addresses and for the topics at one position. */
const maxLogAlternatives = 1_000;
const maxTopicPositions = 4;
const maxPercentiles = 100;
export const maxSimulatedBlocks = 256;
const maxSimulatedCalls = 1_024;
/** Of a simulated block, of its overrides, and of a call: several times as many as there are names. */
const maxSimulatedMembers = 64;

interface Check {
  /** Shorter calls have no list that is too long: most calls are not read for it. */
  fewestBytes: number;
  /** What is wrong with the parameters; undefined if nothing. */
  faultIn(params: readonly unknown[]): string | undefined;
}

const listed = (faultIn: Check['faultIn']): Check => ({ fewestBytes: 2 * maxPercentiles, faultIn });

const checks = new Map<string, Check>([
  ['eth_getProof', listed(([, keys]) => tooMany(keys, maxStorageKeys, 'storage keys'))],
  ['eth_getLogs', listed(([filter]) => checkFilter(filter))],
  ['eth_newFilter', listed(([filter]) => checkFilter(filter))],
  ['eth_subscribe', listed(([, filter]) => checkFilter(filter))],
  ['erigon_getLogs', listed(([filter]) => checkFilter(filter))],
  ['eth_feeHistory', listed(([, , percentiles]) => tooMany(percentiles, maxPercentiles, 'percentiles'))],
  ['eth_simulateV1', listed(([options]) => checkSimulation(memberOf(options, 'blockStateCalls')))],
]);

/** Why a call, given as JSON text that is valid, asks for too much, with the remedy. */
export function evmListFault(method: string, text: string): string | undefined {
  const check = checks.get(method);
  if (!check || text.length < check.fewestBytes) return undefined;
  return check.faultIn(paramsOf(text));
}

function checkFilter(filter: unknown): string | undefined {
  const topics = memberOf(filter, 'topics');
  const positions = tooMany(topics, maxTopicPositions, 'positions of topics');
  const alternatives = [memberOf(filter, 'address'), ...(Array.isArray(topics) && !positions ? topics : [])];
  return positions ?? first(alternatives, (list) => tooMany(list, maxLogAlternatives, 'addresses or topics'));
}

function checkSimulation(blocks: unknown): string | undefined {
  const fault = tooMany(blocks, maxSimulatedBlocks, 'blocks');
  if (fault !== undefined || !Array.isArray(blocks)) return fault;
  const calls = blocks.flatMap((block) => memberOf(block, 'calls') ?? []);
  return (
    tooMany(calls, maxSimulatedCalls, 'calls') ??
    first([...blocks, ...blocks.map((block) => memberOf(block, 'blockOverrides')), ...calls], checkMembers)
  );
}

/** Each of these is copied when it has too much gas. */
function checkMembers(object: unknown): string | undefined {
  if (!isPlainObject(object)) return undefined;
  return tooMany(Object.keys(object), maxSimulatedMembers, 'members of a block or a call');
}

function tooMany(list: unknown, most: number, what: string): string | undefined {
  if (!Array.isArray(list) || list.length <= most) return undefined;
  return `${list.length} ${what} are too many: ask for at most ${most} at a time`;
}

function first<T>(list: readonly T[], check: (one: T) => string | undefined): string | undefined {
  for (const one of list) {
    const fault = check(one);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
