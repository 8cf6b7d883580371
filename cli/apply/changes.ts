import { isMembers } from '../lib/values.ts';

/** One field that differs. A side is absent when the field is. */
export interface Change {
  path: string;
  before?: unknown;
  after?: unknown;
}

/** What differs between two values, field by field, in the order of their paths. Lists are compared as a whole if their lengths differ. */
export function changesBetween(before: unknown, after: unknown, path = ''): Change[] {
  if (isMembers(before) && isMembers(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
    return names.flatMap((name) =>
      changesBetween(before[name], after[name], path ? `${path}.${name}` : name),
    );
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    return before.flatMap((one, index) => changesBetween(one, after[index], `${path}[${index}]`));
  }
  if (isSame(before, after)) return [];
  return [{ path, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) }];
}

/** An empty object and an absent one ask for the same. */
function isSame(one: unknown, other: unknown): boolean {
  if (isEmpty(one) && isEmpty(other)) return true;
  return JSON.stringify(one) === JSON.stringify(other);
}

const isEmpty = (value: unknown) =>
  value === undefined || (isMembers(value) && Object.keys(value).length === 0);

/** Lines for people: "+ added", "- removed", "~ changed". Values of hidden paths are not shown. */
export function changeLines(changes: readonly Change[], hidden: readonly string[] = []): string[] {
  return changes.map(({ path, ...change }) => {
    const text = (value: unknown) => (hidden.includes(path) ? '(hidden)' : JSON.stringify(value));
    if (!('before' in change)) return `+ ${path}: ${text(change.after)}`;
    if (!('after' in change)) return `- ${path}: ${text(change.before)}`;
    return `~ ${path}: ${text(change.before)} -> ${text(change.after)}`;
  });
}
