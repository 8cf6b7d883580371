import { memberOf } from '../../../core/lib/json/members.ts';
import { createUnlimitedScan, readMembers, skipSpace } from './jsonScan.ts';

/** The parameters of a call, given as JSON text; none if they are not an array. */
export function paramsOf(text: string): readonly unknown[] {
  const params = memberOf(JSON.parse(text), 'params');
  return Array.isArray(params) ? params : [];
}

/** The call, as JSON text, with other parameters, and all else as it was sent. */
export function withParams(text: string, params: readonly unknown[]): string {
  const { members } = readMembers(createUnlimitedScan(text), skipSpace(text, 0));
  const given = JSON.stringify(params);
  return `{${members.map(({ name, value }) => `${name}:${name === '"params"' ? given : value}`).join(',')}}`;
}
