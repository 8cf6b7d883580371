import { isObject } from './document.ts';

/** A place that both sides changed, each in its way. An absent value is undefined. */
export interface Conflict {
  path: string;
  base: unknown;
  theirs: unknown;
  mine: unknown;
}

interface Sides {
  base: unknown;
  theirs: unknown;
  mine: unknown;
}

/** Which side wins at a conflict. */
export type Choose = (conflict: Conflict) => 'theirs' | 'mine';

const text = (value: unknown): string => JSON.stringify(sorted(value)) ?? '';

/** Whether two values are the same as JSON. The order of members says nothing. */
export const isSame = (a: unknown, b: unknown): boolean => text(a) === text(b);

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sorted(value[name])]));
}

/**
 * Brings together two changes of the same base, member by member; lists are taken whole. Where both changed the same
 * member, `choose` decides. Members keep the order of `theirs`, so that a diff shows changes alone.
 */
export function merge(sides: Sides, choose: Choose, path = ''): unknown {
  const { base, theirs, mine } = sides;
  if (isSame(theirs, mine) || isSame(base, mine)) return theirs;
  if (isObject(theirs) && isObject(mine)) {
    const from = isObject(base) ? base : {};
    const names = [...new Set([...Object.keys(theirs), ...Object.keys(mine)])];
    const members = names.map((name) => [
      name,
      merge(
        { base: from[name], theirs: theirs[name], mine: mine[name] },
        choose,
        path === '' ? name : `${path}.${name}`,
      ),
    ]);
    return Object.fromEntries(members.filter(([, value]) => value !== undefined));
  }
  if (isSame(base, theirs)) return mine;
  return choose({ path, ...sides }) === 'mine' ? mine : theirs;
}

/** The places where somebody has to decide. */
export function conflictsOf(sides: Sides): Conflict[] {
  const found: Conflict[] = [];
  merge(sides, (conflict) => {
    found.push(conflict);
    return 'theirs';
  });
  return found;
}
