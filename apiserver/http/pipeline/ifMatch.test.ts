import { revisionsOf } from './ifMatch.ts';

it.each([
  ['absent: any', undefined, undefined],
  ['*: any', '*', undefined],
  ['one tag', '"3"', [3]],
  ['several tags', '"3", "4"', [3, 4]],
  ['a weak tag never matches', 'W/"3"', []],
  ['a tag of something else never matches', '"abc"', []],
])('%s', (_reason, header, revisions) => {
  expect(revisionsOf(header)).toEqual(revisions);
});

it.each([
  ['no quotes', '3'],
  ['a quote missing', '"3'],
  ['nothing', ''],
])('%s is refused', (_reason, header) => {
  expect(() => revisionsOf(header)).toThrow(/If-Match/);
});
