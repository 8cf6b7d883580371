import { join } from 'node:path';
import { projectRoot } from '../lib/paths.ts';
import { slowest } from './reporter.ts';

const timeOf = (name: string, ms: number) => ({ path: join(projectRoot, name), ms });

it('a run ends with its ten slowest files, the slowest first', () => {
  const times = Array.from({ length: 12 }, (_, index) => timeOf(`core/${index}.test.ts`, 1000 * (index + 1)));
  const lines = slowest(times);
  expect(lines.slice(0, 3)).toEqual(['', 'Slowest files:', '        12.0 s  core/11.test.ts']);
  expect(lines).toHaveLength(12);
});

it('a run of one file needs no list', () => {
  expect(slowest([timeOf('core/a.test.ts', 1)])).toEqual([]);
});
