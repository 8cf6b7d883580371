import { sortedMembers, stableJson } from '../hash.ts';
import { countValues } from './countValues.ts';
import { isObject } from './members.ts';

/** What has fewer values than this is one part. */
const fewValues = 500;

/** The text of `stableJson` in parts, of a value of any size. */
export function* stableParts(value: unknown): Generator<string> {
  if (!isObject(value) || countValues(value, fewValues) < fewValues) {
    // As in a list; members of objects that are undefined are left out.
    yield stableJson(value) ?? 'null';
    return;
  }
  if (Array.isArray(value)) {
    yield '[';
    for (const [index, one] of value.entries()) {
      if (index > 0) yield ',';
      yield* stableParts(one);
    }
    yield ']';
    return;
  }
  yield '{';
  const members = Object.entries(sortedMembers(value)).filter(([, member]) => member !== undefined);
  for (const [index, [key, member]] of members.entries()) {
    yield `${index > 0 ? ',' : ''}${JSON.stringify(key)}:`;
    yield* stableParts(member);
  }
  yield '}';
}
