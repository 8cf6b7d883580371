import type { Operation } from '../../../core/api/operations/operation.ts';
import { parseSelector } from './selector.ts';

const maxShown = 64;

/** What a selector compares a field with although no object can have it there. Such a list is empty, and not refused. */
export function impossibleValue(
  { selectable = [], selectableValues }: Operation,
  { selector }: Record<string, unknown>,
): string | undefined {
  if (typeof selector !== 'string' || !selectableValues) return undefined;
  for (const clause of parseSelector(selector, selectable)) {
    const known = selectableValues[clause.field];
    const values = clause.operator === 'IN' ? clause.values : [clause.value];
    const wrong = known && values.find((value) => !known.includes(value));
    if (wrong !== undefined)
      return `${clause.field} is never "${wrong.slice(0, maxShown)}": its values are ${known?.join(', ')}`;
  }
  return undefined;
}
