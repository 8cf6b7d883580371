import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { blocksOf, type CodeBlock } from '../hack/lib/codeBlocks.ts';
import { projectRoot } from '../hack/lib/paths.ts';
import { documents } from '../test/documents/documents.ts';
import { isRun } from '../test/documents/held.ts';
import { readDefaultKey } from './lib/accounts.ts';
import { kubectl, runProgram } from './lib/cluster.ts';

/** The commands of the documents as they stand, one after the other in one shell for each document. */

/** What a reader of these documents has already: a network "my-net", and the variables and the function that the text names. */
const startNetwork = `
  . .slipway/env
  export PATH=$PWD/.slipway/bin:$PWD/node_modules/.bin:$PATH
  slipway network create my-net --new-key --wait
  eval "$(slipway network env my-net)"
  id=$(slipway network get my-net --json | jq -r .id)
  ID=$id NAMESPACE=slipway-default NAME=my-net
`;
const startHello = `
  kubectl apply -f docs/examples/network-private-key.yaml
  kubectl -n slipway-default wait --for=condition=Ready --timeout=300s bnet/hello
`;
const apiFunction = blocksOf('README.md').find(({ text }) => text.includes('api() {'))?.text ?? '';
const before: Record<string, string> = {
  'README.md': '',
  'docs/addresses.md': startNetwork,
  'docs/events.md': startNetwork,
  'docs/keys.md': startNetwork,
  'docs/networks.md': [startNetwork, startHello, apiFunction, 'forge build'].join('\n'),
  'docs/snapshots.md': startNetwork + startHello,
  'docs/webhooks.md': startNetwork,
};

/** What goes on until its reader ends it is ended after some seconds. */
const endFollowers = `
  until_interrupted() { timeout --signal=INT 4 "$@" || [ $? = 124 ]; }
  slipway() { case "$*" in *' listen'*|*--follow*) until_interrupted slipway "$@" ;; *) command slipway "$@" ;; esac; }
  curl() {
    case "$*" in
      -N*|-sSN*) until_interrupted curl --fail-with-body "$@" ;;
      *-sSf*) command curl "$@" ;;
      *) command curl --fail-with-body "$@" ;;
    esac
  }
`;

/** The contract of Foundry's template. */
const counter = `pragma solidity ^0.8.0;
contract Counter {
  uint256 public number;
  function setNumber(uint256 newNumber) public { number = newNumber; }
}
`;

const created = [
  ['bnet', 'my-net', 'my-clone', 'copy', 'hello'],
  ['bsnap', 'deployed', 'before-upgrade'],
  ['bsec', 'my-net-key', 'my-key', 'hello-key'],
  ['bhook', 'ci'],
  ['baddr', '0xd8da6bf26964af9d7eed9e03e53415d37aa96045'],
];

async function cleanUp(): Promise<void> {
  for (const [kind = '', ...names] of created)
    await kubectl(['delete', kind, ...names, '--ignore-not-found', '--timeout=120s']);
}

let folder: string;
beforeEach(async () => {
  await readDefaultKey();
  await cleanUp();
  folder = mkdtempSync(join(tmpdir(), 'slipway-documents-'));
  for (const name of ['.slipway', 'node_modules', 'docs'])
    symlinkSync(join(projectRoot, name), join(folder, name));
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'src/Counter.sol'), counter);
});
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true });
  await cleanUp();
});

/** Runs blocks in one shell; returns what they print. Throws with the line of the block that failed. */
async function run(first: string, blocks: CodeBlock[]): Promise<string> {
  const script = [
    `cd ${folder}`,
    `export FOUNDRY_OFFLINE=true FOUNDRY_SOLC=${join(import.meta.dirname, 'forge/solc.sh')}`,
    'set -euo pipefail',
    endFollowers,
    first,
    ...blocks.flatMap(({ document, line, text }) => [`echo '== ${document}:${line}'`, text]),
  ];
  const { code, stdout, stderr } = await runProgram('bash', ['-c', script.join('\n')]);
  if (code !== 0) throw new Error(`exit code ${code}\n${stdout.slice(-3000)}\n${stderr.slice(-3000)}`);
  return stdout;
}

const runDocuments = documents.filter((document) => blocksOf(document).some(isRun));

it('every document with commands that are run is known here', () => {
  expect([...runDocuments].sort()).toEqual(Object.keys(before).sort());
});

it.each(runDocuments)('the commands of %s', async (document) => {
  const printed = await run(before[document] ?? '', blocksOf(document).filter(isRun));
  expect(printed).toContain(`== ${document}:`);
});
