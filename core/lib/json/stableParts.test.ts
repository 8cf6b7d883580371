import fc from 'fast-check';
import { stableJson } from '../hash.ts';
import { stableParts } from './stableParts.ts';

const joined = (value: unknown) => [...stableParts(value)].join('');
const many = Array.from({ length: 2_000 }, (_, at) => ({ b: at, a: `"${at}`, none: undefined }));

it.each<[string, unknown]>([
  ['a long list', many],
  ['a long list in an object', { z: many, a: 1, 10: many, 9: null, none: undefined }],
  ['long lists in a list, and nothing', [undefined, many, null, [many], 'x']],
  ['an object with many members', Object.fromEntries(many.map((one, at) => [`k${2_000 - at}`, one]))],
])('the parts of %s are the text as a whole', (_, value) => {
  expect(joined(value)).toBe(stableJson(value));
  expect([...stableParts(value)].length).toBeGreaterThan(100);
});

it('the parts of any value are the text as a whole', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => expect(joined([value, many])).toBe(stableJson([value, many]))),
  );
});
