import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { blocksOf } from '../lib/codeBlocks.ts';
import { type CopyOfCheckout, copyOfCheckout } from '../testing/copyOfCheckout.ts';

/** docs/adding.md, carried out in a copy of the checkout. */

const blocks = blocksOf('docs/adding.md').flatMap(({ language, words: [path], text }) =>
  language === 'ts' && path !== undefined ? [[path, text] as const] : [],
);
const list = 'features/features.ts';
const tsc = ['node_modules/typescript/bin/tsc', '--noEmit', '--incremental', 'false'];
const jest = ['--no-warnings', 'node_modules/jest/bin/jest.js', '--selectProjects', 'unit', '-i'];

let copy: CopyOfCheckout;
beforeAll(() => {
  copy = copyOfCheckout();
  for (const [path, text] of blocks) {
    mkdirSync(dirname(join(copy.folder, path)), { recursive: true });
    writeFileSync(join(copy.folder, path), text);
  }
  writeFileSync(join(copy.folder, list), copy.read(list).replace(/^\};/m, "  notes: 'keeps notes',\n};"));
  copy.node('hack/generate/main.ts');
});
afterAll(() => copy.remove());

it('a feature is its folder and its line: all else that differs is generated', () => {
  expect(blocks.map(([path]) => path).every((path) => path.startsWith('features/notes/'))).toBe(true);
  expect(copy.changed().sort()).toEqual([
    'charts/slipway/templates/generated-rbac.yaml',
    'docs/api.md',
    'docs/openapi.json',
    'docs/sdk.md',
    'features/features.ts',
    'features/registry/api.ts',
    'features/registry/server.ts',
    'features/registry/testing.ts',
    'sdk/src/generated/groups.ts',
    'sdk/src/generated/types.ts',
  ]);
  expect(copy.read('crds/notes.yaml')).toContain('What it says.');
  expect(copy.read('charts/slipway/templates/generated-rbac.yaml')).toContain('resources: [notes]');
  expect(copy.read('sdk/src/generated/notes.ts')).toContain('/v1alpha/notes');
});

it('it fits the types of all the code', () => {
  copy.node(...tsc);
});

it('it serves, and is held to what is asked of every operation', () => {
  copy.node(
    ...jest,
    '--runTestsByPath',
    'features/notes/server/notes.test.ts',
    'apiserver/workspaces/tenants.test.ts',
  );
});
