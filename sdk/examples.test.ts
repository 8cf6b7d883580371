import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { blocksOf } from '../hack/lib/codeBlocks.ts';
import { projectRoot } from '../hack/lib/paths.ts';
import { tryRun } from '../hack/lib/run.ts';

/** The examples of documents are programs: what a reader copies has to compile. */

const documents = ['docs/sdk.md', 'sdk/README.md', 'docs/testing.md'];

/** Names that examples use without a declaration of their own. */
const given = ['networkId', 'snapshotId', 'secretId', 'tokenId', 'recordingId', 'workspaceId', 'userId'];
const alsoGiven = [
  'address',
  'name',
  'hash',
  'userAddress',
  'invitationId',
  'keyId',
  'sessionId',
  'passkeyId',
  'webhookId',
  'deliveryId',
  'provider',
  'identityId',
  'id',
];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-examples-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const examplesOf = (document: string): string[] =>
  blocksOf(document).flatMap(({ language, text }) => (language === 'ts' ? [text] : []));

/** A module of its own for each block. Imports are its own; a block without a client gets one. */
function moduleOf(code: string): string {
  const needsClient = !/\bclient =/.test(code);
  return [
    ...(code.includes('isSlipwayError(') && !code.includes('import ')
      ? ["import { isSlipwayError } from '@slipway/sdk';"]
      : []),
    ...(needsClient ? ["declare const client: import('@slipway/sdk').Client;"] : []),
    ...[...given, ...alsoGiven]
      .filter(
        (name) =>
          new RegExp(`\\b${name}\\b`).test(code) && !new RegExp(`const [^;]*\\b${name}\\b[^;]* =`).test(code),
      )
      .map((name) => `declare const ${name}: string;`),
    code,
    'export {};',
  ].join('\n');
}

it('finds an example of each method', () => {
  const examples = examplesOf('docs/sdk.md');
  expect(examples.length).toBeGreaterThan(50);
});

it('they compile', async () => {
  const files = documents.flatMap((document) =>
    examplesOf(document).map((code, index) => {
      const file = join(folder, `${document.replaceAll(/\W/g, '-')}-${index}.mts`);
      writeFileSync(file, moduleOf(code));
      return file;
    }),
  );
  const config = {
    extends: join(projectRoot, 'tsconfig.json'),
    compilerOptions: {
      incremental: false,
      tsBuildInfoFile: null,
      noUnusedLocals: false,
      types: ['node'],
      typeRoots: [join(projectRoot, 'node_modules/@types')],
      paths: {
        '@slipway/sdk': [join(projectRoot, 'sdk/src/entry.ts')],
        '@slipway/sdk/fixture': [join(projectRoot, 'sdk/src/fixture/entry.ts')],
      },
    },
    include: [],
    files,
  };
  const configFile = join(folder, 'tsconfig.json');
  writeFileSync(configFile, JSON.stringify(config));
  const tsc = join(projectRoot, 'node_modules/typescript/bin/tsc');
  const { code, output } = await tryRun(process.execPath, [tsc, '--project', configFile], {
    cwd: projectRoot,
  });
  expect(output).toBe('');
  expect(code).toBe(0);
});
