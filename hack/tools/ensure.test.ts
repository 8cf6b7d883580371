import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { identify } from '../lib/processes.ts';
import { useCommands } from '../testing/commands.ts';
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
  const commands = useCommands();
  const install = (name: string, script = fake(name)) => commands.install(name, script);
  const lockOf = (name: string) => join(commands.folder(), 'slipway', 'bin', `${name}.lock`);
  /** As another process that lives. */
  const hold = (name: string) => {
    mkdirSync(dirname(lockOf(name)), { recursive: true });
    writeFileSync(lockOf(name), JSON.stringify({ ...identify(process.ppid), purpose: `building ${name}` }));
  };
  beforeEach(() => install('go'));

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
    expect(existsSync(join(commands.folder(), 'calls'))).toBe(false);
  });

  it('downloads the modules of each later family once while the first one is built', async () => {
    await ensureTools(['kwok', 'kubelet', 'kube-proxy', 'launcher', 'kubectl']);
    const fetched = commands.calls().match(/^go list -deps .*/gm);
    expect(fetched).toEqual(['go list -deps sigs.k8s.io/kwok/cmd/kwok']);
  });

  it('builds in a container of Go where there is no Go but Docker', async () => {
    install('go', '#!/bin/sh\nexit 127\n');
    install('docker');
    const { launcher } = await ensureTools(['launcher']);
    expect(readFileSync(launcher, 'utf8')).toBe('program\n');
    expect(commands.calls()).toMatch(
      /^docker run --rm .*:\/src:ro .*--workdir \/src\/engines\/evm-dev .*golang:[\d.]+ go build /m,
    );
  });

  it('says what to install where there is neither', async () => {
    install('go', '#!/bin/sh\nexit 127\n');
    install('docker', '#!/bin/sh\nexit 1\n');
    await expect(ensureTools(['launcher'])).rejects.toThrow(/https:\/\/go\.dev\/dl\/ .*or start Docker/);
  });
});
