import { isObject } from '../../../../core/lib/json/members.ts';
import { post } from '../fixtures.ts';
import { type Call, previous } from './calls/call.ts';
import type { Chain } from './chain.ts';
import type { Difference } from './differences/difference.ts';

export type Answer = { result: unknown } | { error: { code: number; message: string; data?: unknown } };

/** Where the answers to one call differ. */
export interface Found {
  call: Call;
  /** `error` if one of them is an error; else the path of the members that differ, as in `result.logs[].index`. */
  path: string;
  geth: unknown;
  light: unknown;
}

/** What a node answers to calls, one after the other, in the words that both chains share. */
export async function answersOf(chain: Chain, calls: readonly Call[]): Promise<Answer[]> {
  const answers: Answer[] = [];
  let last: unknown;
  for (const [method, ...params] of calls) {
    const given = params.map((param) => (param === previous ? last : param));
    const { json } = await post(chain.url, { jsonrpc: '2.0', id: 1, method, params: given });
    last = json.result;
    answers.push(shared(chain, json.error ? { error: json.error } : { result: json.result }));
  }
  return answers;
}

/** Members that depend on the time, or on a genesis that the two cannot share: only their types are compared. */
const own = new Set(['timestamp', 'blockTimestamp', 'stateRoot', 'mixHash', 'extraData', 'size']);

/** An answer with names in place of the hashes of blocks, and without what the chains have of their own. */
export function shared(chain: Chain, answer: Answer): Answer {
  const names = new Map(chain.blocks.map((hash, number) => [hash, `block ${number}`]));
  names.set(chain.funding, 'funding');
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return names.get(value) ?? value;
    if (Array.isArray(value)) return value.map(walk);
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        name,
        own.has(name) ? `a ${typeof member}` : walk(member),
      ]),
    );
  };
  return walk(answer) as Answer;
}

/** Two errors count as equal: clients have their own words for them. */
export function differencesOf(call: Call, geth: Answer, light: Answer): Found[] {
  if ('error' in geth && 'error' in light) return [];
  if ('error' in geth || 'error' in light) return [{ call, path: 'error', geth, light }];
  return inside('result', geth.result, light.result).map((found) => ({ call, ...found }));
}

type Inside = Omit<Found, 'call'>;

function inside(path: string, geth: unknown, light: unknown): Inside[] {
  if (Array.isArray(geth) && Array.isArray(light) && geth.length === light.length)
    return geth.flatMap((one, index) => inside(`${path}[]`, one, light[index]));
  if (isObject(geth) && isObject(light) && !Array.isArray(geth) && !Array.isArray(light)) {
    const names = new Set([...Object.keys(geth), ...Object.keys(light)]);
    return [...names].flatMap((name) => inside(`${path}.${name}`, geth[name], light[name]));
  }
  return JSON.stringify(geth) === JSON.stringify(light) ? [] : [{ path, geth, light }];
}

/** Whether a documented difference is about this one. */
export function explains(difference: Difference, { call, path, geth, light }: Found): boolean {
  const [method, ...params] = call;
  const { methods, params: pattern, values, where } = difference;
  if (!methods.includes(method) || pattern?.test(JSON.stringify(params)) === false) return false;
  if ('paths' in where) return path !== 'error' && where.paths.test(path) && (values?.(geth, light) ?? true);
  if (path !== 'error') return false;
  const code = codeOf(where.refusedBy === 'geth' ? geth : light);
  return code !== undefined && (where.codes?.includes(code) ?? true);
}

function codeOf(answer: unknown): number | undefined {
  const error = isObject(answer) ? answer.error : undefined;
  return isObject(error) && typeof error.code === 'number' ? error.code : undefined;
}
