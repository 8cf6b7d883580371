import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { version } from '../../core/version.ts';
import { imagesOf } from '../chart/images.ts';
import { helmSkipReason, renderChart } from '../chart/render.ts';
import { createClient } from '../images/registry/client.ts';
import { manifestType } from '../images/registry/manifest.ts';
import { parseRegistry } from '../images/registry/reference.ts';
import { run } from '../lib/run.ts';
import { findCommand } from '../nativeNode/setup/packages.ts';
import { type CopyOfCheckout, copyOfCheckout } from '../testing/copyOfCheckout.ts';
import { startRegistry, type TestRegistry } from '../testing/registry.ts';
import { toolPath } from '../tools/build.ts';
import type { NamedImage } from '../up/images.ts';
import { pullableRelease, pullImages } from './pull.ts';

const reason = findCommand('apt-get') ? helmSkipReason() : 'apt-get is not there';
const suite = reason ? describe.skip : describe;

/** The program as the release workflow runs it, at a tag, with images that it builds itself. */
suite(`the release program${reason ? ` (skipped: ${reason})` : ''}`, () => {
  const before = { ...process.env };
  let copy: CopyOfCheckout;
  let registry: TestRegistry;
  let folder: string;
  let archives: string[];
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.example', ...args], { cwd: copy.folder });
  beforeAll(async () => {
    registry = await startRegistry();
    folder = mkdtempSync(join(tmpdir(), 'slipway-program-'));
    copy = copyOfCheckout();
    git('init', '--quiet');
    // A link here, which the pattern for a folder does not match.
    appendFileSync(join(copy.folder, '.git', 'info', 'exclude'), 'node_modules\naway\n');
    git('add', '.');
    git('commit', '--quiet', '--message', 'all');
    git('tag', `v${version}`);
    git('remote', 'add', 'origin', 'https://github.com/Team/slipway.git');
    const RELEASE_REGISTRY = `${registry.host}/team/slipway`;
    Object.assign(process.env, { RELEASE_REGISTRY, ENGINES: 'none', BASES: 'machine' });
    copy.node('hack/release/build.ts', join(folder, 'archives'));
    // As in the job that publishes, which installs no packages.
    renameSync(join(copy.folder, 'node_modules'), join(copy.folder, 'away'));
    const printed = copy.node('hack/release/main.ts', join(folder, 'archives')).trim();
    renameSync(join(copy.folder, 'away'), join(copy.folder, 'node_modules'));
    archives = printed.split('\n').filter((line) => line.startsWith('/'));
  });
  afterAll(async () => {
    for (const name of ['RELEASE_REGISTRY', 'ENGINES', 'BASES']) delete process.env[name];
    Object.assign(process.env, before);
    await registry.stop();
    copy.remove();
    rmSync(folder, { recursive: true });
  });

  it('leaves the archives of the chart and the packages', () => {
    expect(archives.map((path) => path.replace(join(folder, 'archives/'), ''))).toEqual(
      ['', '-sdk', '-cli'].map((name) => `slipway${name}-${version}.tgz`),
    );
  });

  it('publishes images that have their programs and licences', async () => {
    const files = await filesOf('service');
    expect(files).toEqual(
      expect.arrayContaining(
        ['apiserver.js', 'operator.js', 'licences/packages.txt', 'token-contracts/cct.json'].map(
          (file) => `app/${file}`,
        ),
      ),
    );
    expect(files.filter((file) => /licences\/chainlink-contracts-ccip.*LICENSE/.test(file))).toHaveLength(1);
    expect(await filesOf('evm-dev')).toContain('usr/local/bin/anvil');
    expect(await filesOf('compilers')).toContain('app/licences.txt');
  });

  it('makes a chart whose images are those that make up pulls at the same tag', async () => {
    const args = ['pull', `oci://${registry.host}/team/slipway/charts/slipway`, '--version', version];
    await run(toolPath('helm'), [...args, '--plain-http', '--untar', '--destination', folder]);
    const manifests = await renderChart({}, join(folder, 'slipway'));
    const inChart = imagesOf(manifests).flatMap(({ image }) =>
      image.startsWith(registry.host) ? [image] : [],
    );
    const release = await pullableRelease(copy.folder);
    if (!release) throw new Error('the copy is not at its tag');
    const images = await pullImages(release, { pullImage: async () => undefined });
    const { service, evmDev, compilers } = images ?? {};
    const named = [service, evmDev, compilers].map((image) => image && nameOf(image));
    expect(inChart).toEqual(named.sort());
    expect(images?.heavy).toEqual({});
  });

  it('leaves what is in the images that it built', () => {
    const sbom = readFileSync(join(folder, 'archives', 'sboms', 'service.spdx.json'), 'utf8');
    const names = JSON.parse(sbom).packages.map(({ name }: { name: string }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['service', 'node', 'ethers', 'express', '@openzeppelin/contracts']),
    );
  });

  it.each(['build', 'main'])('refuses a checkout that is changed: %s', (program) => {
    writeFileSync(join(copy.folder, 'new.ts'), '');
    expect(() => copy.node(`hack/release/${program}.ts`, folder)).toThrow('Only a release is published');
    rmSync(join(copy.folder, 'new.ts'));
  });

  const nameOf = ({ repository, digest }: NamedImage) => `${repository}@${digest}`;

  /** The paths in all layers of a published image. */
  async function filesOf(name: string): Promise<string[]> {
    const client = await createClient(parseRegistry(registry.host), `team/slipway/${name}`, 'pull');
    const headers = { Accept: manifestType };
    const answer = await client.send('GET', `manifests/${version}`, { headers });
    const { layers } = JSON.parse(await answer.text());
    const files: string[] = [];
    for (const { digest } of layers) {
      const layer = join(folder, 'layer.tar.gz');
      writeFileSync(layer, await (await client.send('GET', `blobs/${digest}`)).bytes());
      files.push(...(await run('tar', ['-tzf', layer])).split('\n'));
    }
    return files;
  }
});
