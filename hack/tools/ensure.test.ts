import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { identify } from '../lib/processes.ts';
import { toolPath } from './build.ts';
import { ensureTools } from './ensure.ts';

/** Notes its arguments and makes the program that it is asked for. */
const fake = (name: string) => `#!/bin/sh
echo "${name} $*" >> "$FOLDER/calls"
[ "$1" = info ] && echo 27.0.0
while [ $# -gt 0 ]; do
  case "$1" in *:/out) out="\${1%:/out}";; esac
  [ "$1" = -o ] && target="$2"
  shift
done
[ -z "$target" ] || echo program > "\${out:+$out/}\${target#/out/}"
`;

describe('ensureTools', () => {
  let folder: string;
  const before = { ...process.env };
  const install = (name: string, script = fake(name)) => {
    writeFileSync(join(folder, 'commands', name), script);
    chmodSync(join(folder, 'commands', name), 0o755);
  };
  const calls = () => readFileSync(join(folder, 'calls'), 'utf8');
  const lockOf = (name: string) => join(folder, 'slipway', 'bin', `${name}.lock`);
  /** As another process that lives. */
  const hold = (name: string) => {
    mkdirSync(join(folder, 'slipway', 'bin'), { recursive: true });
    writeFileSync(lockOf(name), JSON.stringify({ ...identify(process.ppid), purpose: `building ${name}` }));
  };
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-ensure-'));
    mkdirSync(join(folder, 'commands'));
    install('go');
    Object.assign(process.env, {
      PATH: `${join(folder, 'commands')}:/usr/bin:/bin`,
      XDG_CACHE_HOME: folder,
      FOLDER: folder,
    });
  });
  afterEach(() => {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    Object.assign(process.env, before);
    rmSync(folder, { recursive: true });
  });

  it('builds a tool while another process builds another one for minutes', async () => {
    hold('chainlink');
    const { launcher } = await ensureTools(['launcher']);
    expect(readFileSync(launcher, 'utf8')).toBe('program\n');
    expect(existsSync(lockOf('chainlink'))).toBe(true);
    expect(existsSync(lockOf('launcher'))).toBe(false);
  });

  it('waits for the process that builds the same tool, and builds it no second time', async () => {
    hold('launcher');
    const path = toolPath('launcher');
    const waiting = ensureTools(['launcher']);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, 'theirs');
    rmSync(lockOf('launcher'));
    expect(readFileSync((await waiting).launcher, 'utf8')).toBe('theirs');
    expect(existsSync(join(folder, 'calls'))).toBe(false);
  });

  it('builds in a container of Go where there is no Go but Docker', async () => {
    install('go', '#!/bin/sh\nexit 127\n');
    install('docker');
    const { launcher } = await ensureTools(['launcher']);
    expect(readFileSync(launcher, 'utf8')).toBe('program\n');
    expect(calls()).toMatch(
      /^docker run --rm .*:\/src:ro .*--workdir \/src\/engines\/evm-dev .*golang:[\d.]+ go build /m,
    );
  });

  it('says what to install where there is neither', async () => {
    install('go', '#!/bin/sh\nexit 127\n');
    install('docker', '#!/bin/sh\nexit 1\n');
    await expect(ensureTools(['launcher'])).rejects.toThrow(/https:\/\/go\.dev\/dl\/ .*or start Docker/);
  });
});
