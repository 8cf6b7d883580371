import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createArchive } from '../images/archive.ts';
import { canUseKind, loadIntoKind, publishedPort, pullIntoKind } from './kind.ts';

/** Fakes of docker and kind that record how they were called. */
describe('kind', () => {
  let folder: string;
  const realPath = process.env.PATH;
  const installFake = (command: string, script: string): void => {
    writeFileSync(join(folder, command), `#!/bin/sh\necho ${command} "$@" >> ${folder}/calls\n${script}\n`);
    chmodSync(join(folder, command), 0o755);
  };
  const calls = () => readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n');

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-kind-'));
    process.env.PATH = `${folder}:${realPath}`;
    process.env.XDG_CACHE_HOME = folder;
  });
  afterEach(() => {
    process.env.PATH = realPath;
    delete process.env.XDG_CACHE_HOME;
    rmSync(folder, { recursive: true });
  });

  it.each([
    ['the Docker engine answers', 'echo 27.0.0', true],
    [
      'the client is installed but the engine is not running',
      'echo "Cannot connect to the Docker daemon"; exit 1',
      false,
    ],
    ['the engine is down and the client prints an empty version', 'echo', false],
  ])('is detected as usable only when Docker is: %s', async (_reason, docker, expected) => {
    installFake('docker', docker);
    installFake('kind', 'echo kind v0.30.0');
    await expect(canUseKind()).resolves.toBe(expected);
  });

  it.each([
    ['as the node was created', 'echo 127.0.0.1:9090', 9090],
    ['unknown while the node does not run', 'exit 1', undefined],
  ])(
    'finds its ingress at the port of this machine, whatever INGRESS_PORT says: %s',
    async (_what, docker, port) => {
      installFake('docker', docker);
      expect(await publishedPort()).toBe(port);
      expect(calls()).toEqual(['docker port slipway-control-plane 8080/tcp']);
    },
  );

  it.each([
    ['an image that its node lacks', 'case "$*" in *inspecti*) exit 1;; esac', true],
    ['nothing that its node has', "echo '{}'", false],
  ])('pulls with the runtime of its node: %s', async (_what, docker, isPulled) => {
    installFake('docker', docker);
    await pullIntoKind('ghcr.io/team/service@sha256:aa');
    const pull = 'docker exec slipway-control-plane crictl pull ghcr.io/team/service@sha256:aa';
    expect(calls().includes(pull)).toBe(isPulled);
  });

  it('says why its node cannot pull an image', async () => {
    installFake('docker', 'echo trying; echo "no match for platform in manifest" >&2; exit 1');
    await expect(pullIntoKind('ghcr.io/team/service@sha256:aa')).rejects.toThrow(
      'ghcr.io/team/service@sha256:aa: no match for platform in manifest',
    );
  });

  it('loads only the images that its node does not have', async () => {
    const { tar, id } = createArchive('localhost/a:1', [{ path: '/a', content: Buffer.from('a') }], {});
    writeFileSync(join(folder, 'a.tar'), tar);
    const archives = ['localhost/a:1', 'localhost/b:1'].map((image) => ({
      image,
      tar: join(folder, 'a.tar'),
    }));
    installFake('docker', `case "$*" in *localhost/a:1) echo '{"status":{"id":"${id}"}}';; *) exit 1;; esac`);
    installFake('kind', '');
    await loadIntoKind(archives);
    expect(calls().filter((call) => call.startsWith('kind load'))).toEqual([
      `kind load image-archive ${join(folder, 'a.tar')} --name slipway`,
    ]);
  });
});
