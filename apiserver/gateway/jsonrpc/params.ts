import { memberOf } from '../../../core/lib/json/members.ts';
import { createUnlimitedScan, readMembers, skipSpace } from './jsonScan.ts';

/**
 * What was read last: the parts of a policy read the same call one after the other. It is kept for no longer than they take, because it
 * may be large.
 */
let last: { text: string; params: readonly unknown[] } | undefined;

function forget(): void {
  last = undefined;
}

/** The parameters of a call, given as JSON text; none if they are not an array. Nobody changes them. */
export function paramsOf(text: string): readonly unknown[] {
  if (last?.text === text) return last.params;
  if (!last) queueMicrotask(forget);
  const params = memberOf(JSON.parse(text), 'params');
  last = { text, params: Array.isArray(params) ? params : [] };
  return last.params;
}

/** The call, as JSON text, with other parameters, and all else as it was sent. */
export function withParams(text: string, params: readonly unknown[]): string {
  const { members } = readMembers(createUnlimitedScan(text), skipSpace(text, 0));
  const given = JSON.stringify(params);
  return `{${members.map(({ name, value }) => `${name}:${name === '"params"' ? given : value}`).join(',')}}`;
}
