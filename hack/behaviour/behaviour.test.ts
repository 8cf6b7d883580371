import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../lib/paths.ts';
import { readSections } from './behaviour.ts';
import { hasTitle } from './titles.ts';

/** docs/behaviour.md: a promise that no test holds is a promise that nobody keeps. */

const sections = readSections();
const statements = sections.flatMap((section) => section.statements);
const rows = statements.flatMap(({ about, tests }) =>
  Object.entries(tests).flatMap(([file, titles]) => titles.map((title) => [about, file, title] as const)),
);

it.each(rows)('%s: %s has the test "%s"', (_about, file, title) => {
  expect(hasTitle(readFileSync(join(projectRoot, file), 'utf8'), title)).toBe(true);
});

it.each(statements)('$about is held by at least one test', ({ tests }) => {
  expect(Object.keys(tests).length).toBeGreaterThan(0);
});

it('nothing is stated twice', () => {
  const subjects = statements.map(({ about }) => about);
  expect(subjects.filter((subject, index) => subjects.indexOf(subject) !== index)).toEqual([]);
});

it('the words use straight quotes', () => {
  expect(JSON.stringify(sections)).not.toMatch(/[\u00ab\u00bb\u2018\u2019\u201c\u201d]/);
});

describe('a title', () => {
  it.each([
    ['of a test', "it('does so', () => {", 'does so', true],
    ['on a line of its own', "it(\n  'does so',\n  () => {", 'does so', true],
    ['of a table', "])('%s is refused', (_why) => {", '%s is refused', true],
    ['of a row of a table', "  ['no name', {}],", 'no name', true],
    ['with an escaped quote', "it('it\\'s so', () => {", "it's so", true],
    ['with another quote', 'it("it\'s so", () => {', "it's so", true],
    ['that is the beginning of another', "it('does so at once', () => {", 'does so', false],
    ['that is the end of another', "it('always does so', () => {", 'does so', false],
    ['that only a comment has', '// does so', 'does so', false],
    ['with characters of patterns', "it('does so (a.b)', () => {", 'does so (aXb)', false],
  ])('%s: %j', (_reason, source, title, isThere) => {
    expect(hasTitle(source, title)).toBe(isThere);
  });
});
