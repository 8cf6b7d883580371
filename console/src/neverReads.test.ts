import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Of the console itself, and of features. */
const files = ['**/*.{ts,tsx}', '../../features/*/console/**/*.{ts,tsx}'].flatMap((pattern) =>
  globSync(pattern, { cwd: import.meta.dirname }).filter((file) => !file.includes('.test.')),
);
const texts = new Map(files.map((file) => [file, readFileSync(join(import.meta.dirname, file), 'utf8')]));
const filesWith = (pattern: RegExp) => files.filter((file) => pattern.test(texts.get(file) ?? ''));

it('finds the files of the console', () => {
  expect(files).toContain('live/follow.ts');
});

it('no page reads a network over REST, which would wake it', () => {
  expect(
    filesWith(/client\s*\.networks\s*\.(get|getEndpoints)\(|client\.waitFor\(|client\.request\(/).sort(),
  ).toEqual([
    // Its text is the example that users copy.
    'pages/create/snippets.ts',
  ]);
});

it('nothing becomes a script or markup without React', () => {
  expect(filesWith(/dangerouslySetInnerHTML|innerHTML|document\.write|\beval\(|new Function/)).toEqual([]);
});
