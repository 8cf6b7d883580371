import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type Keyring, keyringFiles, parseKeyring } from '../../core/accounts/keyring.ts';
import { run } from '../lib/run.ts';
import { runbookCommands } from '../lib/runbook.ts';

/** The commands of docs/keys.md on a Secret of files: what the processes would read whenever they restart. */

const files = Object.values(keyringFiles);
const line = (id: string, byte: number) => `${id}:${Buffer.alloc(32, byte).toString('base64')}`;
/** Answers as kubectl does for the Secret, and keeps what each restart would find. */
const kubectl = `#!/usr/bin/env bash
set -eu
case "$*" in
  *"get secret"*) [[ "$*" =~ \\.data\\.([a-z-]+) ]]; base64 -w0 < "$FOLDER/\${BASH_REMATCH[1]}" ;;
  *"patch secret"*) [[ "$*" =~ \\"([a-z-]+)\\":\\"([A-Za-z0-9+/=]+)\\" ]]; base64 -d <<< "\${BASH_REMATCH[2]}" > "$FOLDER/\${BASH_REMATCH[1]}" ;;
  *"rollout restart"*) for FILE in $FILES; do { cat "$FOLDER/$FILE"; echo ---; } >> "$FOLDER/$FILE.restarts"; done ;;
esac
`.replaceAll('\\\\', '\\');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-runbook-'));
  writeFileSync(join(folder, 'kubectl'), kubectl, { mode: 0o755 });
  for (const file of files) writeFileSync(join(folder, file), `${line('k1', 1)}\n${line('k0', 0)}\n`);
});
afterEach(() => rmSync(folder, { recursive: true }));

/** The keys at each restart while the commands under a heading run. */
async function restarts(heading: string): Promise<Keyring[][]> {
  for (const file of files) rmSync(join(folder, `${file}.restarts`), { force: true });
  const path = [folder, process.env.PATH].join(delimiter);
  const env = { PATH: path, FOLDER: folder, FILES: files.join(' ') };
  await run('bash', ['-euo', 'pipefail', '-c', runbookCommands(heading)], { env });
  return files.map((file) => {
    const texts = readFileSync(join(folder, `${file}.restarts`), 'utf8')
      .split('---\n')
      .slice(0, -1);
    return texts.map((text) => parseKeyring(text, file));
  });
}
const idsOf = ({ keys }: Keyring) => [...keys.keys()];

it('a new key is accepted by every process before one uses it, and no former key is lost', async () => {
  for (const [first, second, ...others] of await restarts('Add a new key')) {
    expect(others).toEqual([]);
    const [, newest = ''] = first ? idsOf(first) : [];
    expect(newest).toMatch(/^k\d{10}$/);
    expect(first && idsOf(first)).toEqual(['k1', newest, 'k0']);
    expect(second && idsOf(second)).toEqual([newest, 'k1', 'k0']);
    expect(second?.keys.get(newest)).toHaveLength(32);
    expect(second?.keys.get('k1')).toEqual(Buffer.alloc(32, 1));
  }
});

it('the removal leaves the newest key alone', async () => {
  for (const [last, ...others] of await restarts('Remove the old keys')) {
    expect(others).toEqual([]);
    expect(last && idsOf(last)).toEqual(['k1']);
  }
});
