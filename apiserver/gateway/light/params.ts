import { createUnlimitedScan, readMembers, skipSpace } from '../jsonrpc/jsonScan.ts';

/** The parameters of a call, given as JSON text; none if they are not an array. */
export function paramsOf(text: string): readonly unknown[] {
  const { members } = readMembers(createUnlimitedScan(text), skipSpace(text, 0));
  const given = members.find(({ name }) => name === '"params"')?.value;
  const params: unknown = given === undefined ? [] : JSON.parse(given);
  return Array.isArray(params) ? params : [];
}

/** A quantity as JSON-RPC writes it, which engines also take as a number; undefined for anything else. */
export function quantityOf(value: unknown): number | undefined {
  const isText = typeof value === 'string' && /^0x[0-9a-f]{1,13}$/i.test(value);
  if (!isText && !(typeof value === 'number' && Number.isSafeInteger(value))) return undefined;
  return Number(value);
}

export const hexOf = (value: number | bigint): string => `0x${value.toString(16)}`;
