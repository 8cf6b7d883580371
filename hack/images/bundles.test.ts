import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../lib/paths.ts';

const read = (file: string) => readFileSync(join(projectRoot, file), 'utf8');

it('the service image contains every bundle that is built', () => {
  const [, entries = ''] = /bundle\(outputFolder, \{([^}]*)\}/.exec(read('hack/build.ts')) ?? [];
  const names = [...entries.matchAll(/^\s*(\w+): '/gm)].map(([, name]) => `dist/service/${name}.js`);
  expect(names).toContain('dist/service/apiserver.js');
  const copied = read('Dockerfile').split(/\s+/);
  expect(names.filter((name) => !copied.includes(name))).toEqual([]);
});
