import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
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
    await ensureTools(['kwok', 'kubeadm', 'local-path-provisioner', 'launcher']);
    const fetched = commands.calls().match(/^go list -deps .*/gm);
    expect(fetched).toEqual(['go list -deps sigs.k8s.io/kwok/cmd/kwok']);
  });

  describe('programs of a node', () => {
    let mirror: Server;
    let asked: string[];
    let published: Record<string, string>;
    beforeEach(async () => {
      [asked, published] = [[], {}];
      mirror = createServer(({ url = '' }, response) => {
        asked.push(url);
        const content = published[url];
        response.statusCode = content === undefined ? 404 : 200;
        response.end(content);
      });
      mirror.listen(0, '127.0.0.1');
      await once(mirror, 'listening');
      process.env.DOWNLOAD_MIRROR = `http://127.0.0.1:${(mirror.address() as AddressInfo).port}`;
    });
    afterEach(() => {
      delete process.env.DOWNLOAD_MIRROR;
      mirror.close();
    });
    const path = (program: string) => `/dl.k8s.io/release/v1.34.4/bin/linux/amd64/${program}`;
    const publish = (program: string) => {
      published[path(program)] = program;
      published[`${path(program)}.sha256`] = createHash('sha256').update(program).digest('hex');
    };
    const onLinux = process.platform === 'linux' && process.arch === 'x64' ? it : it.skip;

    onLinux('(skipped on other platforms) are downloaded where they are published, without Go', async () => {
      for (const program of ['kubelet', 'kube-proxy']) publish(program);
      const tools = await ensureTools(['kubelet', 'kube-proxy']);
      expect(readFileSync(tools.kubelet, 'utf8')).toBe('kubelet');
      expect(readFileSync(tools['kube-proxy'], 'utf8')).toBe('kube-proxy');
      expect(existsSync(join(commands.folder(), 'calls'))).toBe(false);
    });

    onLinux(
      '(skipped on other platforms) that are not published are built, all of them at once',
      async () => {
        publish('kubelet');
        const tools = await ensureTools(['etcd', 'kubelet', 'kube-proxy']);
        expect(readFileSync(tools.kubelet, 'utf8')).toBe('kubelet');
        const built = [tools.etcd, tools['kube-proxy']].map((file) => statSync(file).ino);
        expect(new Set(built).size).toBe(1);
        expect(commands.calls().match(/^go build .*/gm)).toEqual([expect.stringMatching(/ \.$/)]);
      },
    );

    onLinux('(skipped on other platforms) with another checksum are refused', async () => {
      publish('kubelet');
      published[path('kubelet')] = 'another program';
      await expect(ensureTools(['kubelet'])).rejects.toThrow(/the checksum is .* published with it/);
      expect(asked).toContain(path('kubelet'));
    });
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
