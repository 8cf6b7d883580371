import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../lib/run.ts';
import { findCommand } from '../nativeNode/setup/packages.ts';
import { startRegistry, type TestRegistry } from '../testing/registry.ts';
import { createArchive } from './archive.ts';
import { tryPull } from './pull.ts';
import { pushImage } from './registry/push.ts';
import { parseRegistry } from './registry/reference.ts';

const reason = ['apt-get', 'buildah'].find((command) => !findCommand(command));
const suite = reason ? describe.skip : describe;

const image = 'localhost/slipway/provisioner:v1';

suite(`pulling a public image${reason ? ` (skipped: ${reason} is not there)` : ''}`, () => {
  let folder: string;
  let registry: TestRegistry;
  let id: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-pull-test-'));
    registry = await startRegistry();
    const files = [{ path: '/bin/provisioner', content: Buffer.from('program') }];
    const archive = createArchive('localhost/provisioner:v1', files, { entrypoint: ['/bin/provisioner'] });
    const tar = join(folder, 'image.tar');
    writeFileSync(tar, archive.tar);
    id = archive.id;
    const target = parseRegistry(`${registry.host}/rancher`);
    await pushImage(target, { tar, name: 'provisioner', tag: 'v1' });
  });
  beforeEach(() => {
    process.env.XDG_CACHE_HOME = mkdtempSync(join(folder, 'cache-'));
  });
  afterEach(() => {
    delete process.env.XDG_CACHE_HOME;
    delete process.env.DOWNLOAD_MIRROR;
  });
  afterAll(async () => {
    await registry.stop();
    rmSync(folder, { recursive: true });
  });

  it('makes an archive with its name, which is kept', async () => {
    process.env.DOWNLOAD_MIRROR = `http://${registry.host}`;
    const pulled = await tryPull('rancher/provisioner:v1', image);
    expect(pulled).toMatchObject({ image, id });
    const manifest = JSON.parse(await run('tar', ['-xOf', pulled?.tar ?? '', 'manifest.json']));
    expect(manifest[0].RepoTags).toEqual([image]);
    process.env.DOWNLOAD_MIRROR = 'http://127.0.0.1:1';
    expect(await tryPull('rancher/provisioner:v1', image)).toEqual(pulled);
  });

  it.each([
    ['an image that the registry lacks', () => `http://${registry.host}`],
    ['a registry that cannot be reached', () => 'http://127.0.0.1:1'],
  ])('is done without for %s', async (_what, mirror) => {
    process.env.DOWNLOAD_MIRROR = mirror();
    expect(await tryPull('rancher/absent:v1', image)).toBeUndefined();
  });
});
