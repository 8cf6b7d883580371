import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../lib/paths.ts';
import { browserTests } from './browser.ts';

const folder = join(projectRoot, 'e2e');

test('every e2e test that starts a browser is among those that need one, and no other', () => {
  const starting = readdirSync(folder)
    .filter((name) => name.endsWith('.test.ts'))
    .filter((name) => textOf(name).includes('startBrowser('))
    .sort();
  expect(browserTests()).toEqual(starting);
  expect(starting).toEqual(
    expect.arrayContaining(['console.test.ts', 'deviceSignIn.test.ts', 'explorer.test.ts']),
  );
});

const textOf = (name: string) => readFileSync(join(folder, name), 'utf8');
