import { notOurs } from '../../sdk/src/answer.ts';

/** An answer that has a member which the contract requires. Throws SlipwayError for what something else at the URL answers. */
export async function ours<T extends object>(answer: Promise<T>, member: keyof T): Promise<T> {
  const value = await answer;
  if (value?.[member] === undefined) throw notOurs();
  return value;
}
