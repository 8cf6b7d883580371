import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../lib/paths.ts';
import createSequencer, { longest } from './sequencer.ts';

it('every file that is to begin first is there', () => {
  expect(longest.filter((path) => !existsSync(path))).toEqual([]);
});

it('the longest begins first, and of the others the largest', () => {
  const [small, large] = ['hack/suites/sequencer.ts', 'package-lock.json'].map((file) =>
    join(projectRoot, file),
  );
  const files = [small, large, longest[1], longest[0]].map((path = '') => ({ path }));
  const sorted = createSequencer().sort(files);
  expect(sorted.map(({ path }) => path)).toEqual([longest[0], longest[1], large, small]);
});
