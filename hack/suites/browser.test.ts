import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../lib/paths.ts';
import { browserTests, e2eFolders } from './browser.ts';

test.each([
  ...e2eFolders.map((folder) => [folder, folder === 'e2e' ? ['console.test.ts'] : []] as const),
  ['e2e/faults', ['explorerIdle.test.ts']] as const,
])('every test in %s that starts a browser is among those that need one, and no other', (folder, some) => {
  const textOf = (name: string) => readFileSync(join(projectRoot, folder, name), 'utf8');
  const starting = readdirSync(join(projectRoot, folder))
    .filter((name) => name.endsWith('.test.ts'))
    .filter((name) => textOf(name).includes('startBrowser('))
    .sort();
  expect(browserTests(folder)).toEqual(starting);
  expect(starting).toEqual(expect.arrayContaining(some));
});
