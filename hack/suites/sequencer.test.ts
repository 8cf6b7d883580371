import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../lib/paths.ts';
import createSequencer, { named } from './sequencer.ts';

it('every file that is to begin first is there', () => {
  expect(named.filter((path) => !existsSync(path))).toEqual([]);
});

it('the longest begins first, and of the others the largest', () => {
  const [small, large] = ['hack/suites/sequencer.ts', 'package-lock.json'].map((file) =>
    join(projectRoot, file),
  );
  const files = [small, large, named[1], named[0]].map((path = '') => ({ path }));
  const sorted = createSequencer().sort(files);
  expect(sorted.map(({ path }) => path)).toEqual([named[0], named[1], large, small]);
});
