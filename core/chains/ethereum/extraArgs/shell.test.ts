import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { consensusFlags } from './consensusFlags.ts';
import { executionFlags } from './executionFlags.ts';
import { readExtraArgs } from './read.ts';

/** A shell in an image, ours or another's, sees nothing of a user's. If it did, it would see no syntax. */

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-shell-'));
  const put = (name: string, text: string) => {
    writeFileSync(join(folder, name), `#!/bin/bash\n${text}\n`);
    chmodSync(join(folder, name), 0o755);
  };
  // Prints its arguments, each on a line.
  put('client', `printf '%s\\n' "$@"`);
  // How the entry point of besu's image passes its arguments on.
  put('entry', `COMMAND="${folder}/client $@"\nexec /bin/bash -c "$COMMAND"`);
});
afterAll(() => rmSync(folder, { recursive: true }));

const run = (args: readonly string[]) =>
  execFileSync(join(folder, 'entry'), args, { cwd: folder, encoding: 'utf8' }).split('\n').slice(0, -1);

it('a script that passes arguments through a shell reads syntax in them', () => {
  expect(run(['--logging=INFO --p2p-port=1'])).toEqual(['--logging=INFO', '--p2p-port=1']);
  expect(run(['--logging=INFO; echo injected #'])).toEqual(['--logging=INFO', 'injected']);
});

const clients = Object.entries({ ...executionFlags, ...consensusFlags });

it.each(clients)('what %s may have arrives unchanged even through such a script', (_client, allowed) => {
  const line = Object.entries(allowed).map(([flag, { example }]) => {
    return example === undefined ? flag : `${flag}=${example}`;
  });
  const read = readExtraArgs(line.join(' '), allowed);
  const args = 'args' in read ? read.args : [];
  expect(args).toHaveLength(Object.keys(allowed).length);
  expect(run(args)).toEqual(args);
});
