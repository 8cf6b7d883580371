import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../lib/paths.ts';
import { readSections } from './behaviour.ts';

/** docs/behaviour.md: a promise that no test holds is a promise that nobody keeps. */

const sections = readSections();
const statements = sections.flatMap((section) => section.statements);
const files = [...new Set(statements.flatMap(({ tests }) => tests))];

it.each(files)('%s has tests', (file) => {
  expect(readFileSync(join(projectRoot, file), 'utf8')).toMatch(/^\s*(it|test)\b/m);
});

it('nothing is stated twice', () => {
  const subjects = statements.map(({ about }) => about);
  expect(subjects.filter((subject, index) => subjects.indexOf(subject) !== index)).toEqual([]);
});

it('the words use straight quotes', () => {
  expect(JSON.stringify(sections)).not.toMatch(/[\u00ab\u00bb\u2018\u2019\u201c\u201d]/);
});
