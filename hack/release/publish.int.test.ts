import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { EngineName } from '../../core/api/engines.ts';
import { mergeEngines } from '../../core/engines/engineSet.ts';
import { engineBlocker } from '../../core/engines/needs.ts';
import { version } from '../../core/version.ts';
import { cliPackage } from '../../sdk/action/cli.ts';
import { imagesOf } from '../chart/images.ts';
import { chartEnginesOf, helmSkipReason, type Manifest, renderChart } from '../chart/render.ts';
import { createClient } from '../images/registry/client.ts';
import { digestOf, manifestType } from '../images/registry/manifest.ts';
import { run } from '../lib/run.ts';
import { findCommand } from '../nativeNode/setup/packages.ts';
import { registryUser, startRegistry, type TestRegistry } from '../testing/registry.ts';
import { toolPath } from '../tools/build.ts';
import { ownEngines } from '../up/heavyEngines.ts';
import { partsOf } from './folder.ts';
import { publishedDigest, type Release } from './images.ts';
import type { ReleaseImage } from './names.ts';
import { prepare } from './prepare.ts';
import { type Published, publish } from './publish.ts';
import { createStandIns, type StandIns, testRelease } from './testing/archives.ts';

const reason = findCommand('apt-get') ? helmSkipReason() : 'apt-get is not there';
const suite = reason ? describe.skip : describe;

/** All that nobody else publishes, but for one. */
const engines = ownEngines.filter((name) => name !== 'solana-dev');

/** A release as its users get it, from a real registry. */
suite(`a release${reason ? ` (skipped: ${reason})` : ''}`, () => {
  let folder: string;
  let registry: TestRegistry;
  let release: Release;
  let standIns: StandIns;
  let published: Published;
  const partsOfImage = () => [{ name: 'yaml', version: '2.0.0', purl: 'pkg:npm/yaml@2.0.0' }];
  /** What a build of a release leaves, in a folder of its own. */
  const prepared = async (of: Release, some = engines): Promise<string> => {
    const target = mkdtempSync(join(folder, 'release-'));
    await prepare(of, { engines: some, build: standIns.build, partsOfImage, folder: target });
    return target;
  };
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-release-'));
    registry = await startRegistry();
    release = testRelease(registry, 'team/slipway', version);
    standIns = createStandIns(folder);
    published = await publish(release, await prepared(release));
  });
  afterAll(async () => {
    await registry.stop();
    rmSync(folder, { recursive: true });
  });

  describe('its chart, pulled from the registry', () => {
    let manifests: Manifest[];
    beforeAll(async () => {
      const address = `oci://${registry.host}/team/slipway/charts/slipway`;
      const args = [
        'pull',
        address,
        '--version',
        version,
        '--plain-http',
        '--untar',
        '--destination',
        folder,
      ];
      await run(toolPath('helm'), args);
      manifests = await renderChart({}, join(folder, 'slipway'));
    });

    it('renders without values, and names the images of the release by digests that the registry has', async () => {
      const own = imagesOf(manifests).filter(({ image }) => image.startsWith(registry.host));
      const names = own.map(({ image }) => /\/([\w-]+)@/.exec(image)?.[1] ?? image);
      expect(names.sort()).toEqual(['service', 'evm-dev', 'compilers', ...engines].sort());
      for (const { image } of own) {
        const [, repository = '', digest = ''] = /^[^/]+\/(.+)@(.+)$/.exec(image) ?? [];
        const client = await createClient(release.registry, repository, 'pull');
        const [byDigest, byTag] = await Promise.all(
          [digest, version].map(async (reference) => {
            const headers = { Accept: manifestType };
            return (await client.send('GET', `manifests/${reference}`, { headers })).text();
          }),
        );
        expect([digestOf(byDigest ?? ''), byTag]).toEqual([digest, byDigest]);
        const { config, layers, annotations } = JSON.parse(byDigest ?? '');
        expect(config.digest).toBe(standIns.ids.get(repository.split('/').at(-1) ?? ''));
        for (const { digest: blob } of [config, ...layers]) await client.send('HEAD', `blobs/${blob}`);
        expect(annotations).toMatchObject({
          'org.opencontainers.image.revision': release.revision,
          'org.opencontainers.image.source': 'https://github.com/Team/slipway',
          'org.opencontainers.image.licenses': expect.stringMatching(/^Apache-2\.0/),
        });
      }
    });

    it('takes all other images from public projects, with their names', () => {
      const others = imagesOf(manifests).filter(({ image }) => !image.startsWith(registry.host));
      expect(others.length).toBeGreaterThan(10);
      // Of a checkout, where nothing is published.
      expect(others.filter(({ image }) => /^(slipway|localhost)\//.test(image))).toEqual([]);
    });

    it('refuses what needs an engine that is not published, with the value to set', () => {
      const set = mergeEngines({ chart: chartEnginesOf(manifests), available: {}, hasBuilder: false });
      const needOf = (engine: EngineName) => engineBlocker([{ engine, path: 'spec.chain' }], set);
      expect(needOf('drand')).toBeUndefined();
      expect(needOf('solana-dev')).toEqual({
        kind: 'refused',
        details: [
          { path: 'spec.chain', message: expect.stringContaining('set engines.solana-dev in the chart') },
        ],
      });
    });

    it('keeps the comments of its values', () => {
      const values = readFileSync(join(folder, 'slipway', 'values.yaml'), 'utf8');
      expect(values).toContain('# The image of all processes.');
    });

    it('is the archive that the release has', async () => {
      const address = `oci://${registry.host}/team/slipway/charts/slipway`;
      const target = mkdtempSync(join(folder, 'pulled-'));
      await run(toolPath('helm'), [
        'pull',
        address,
        '--version',
        version,
        '--plain-http',
        '--destination',
        target,
      ]);
      const archive = `slipway-${version}.tgz`;
      expect(readFileSync(published.chart)).toEqual(readFileSync(join(target, archive)));
    });
  });

  describe('its packages, installed from their archives', () => {
    let project: string;
    const command = (name: string) => join(project, 'node_modules', '.bin', name);
    const manifestOf = (name: string) =>
      JSON.parse(readFileSync(join(project, 'node_modules', name, 'package.json'), 'utf8'));
    beforeAll(async () => {
      project = mkdtempSync(join(folder, 'project-'));
      writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
      // They depend on nothing.
      await run('npm', ['install', '--offline', '--no-audit', '--no-fund', ...published.packages], {
        cwd: project,
      });
    });
    const env = { NODE_OPTIONS: undefined, SLIPWAY_CONFIG: '/does/not/exist' };

    it('bring the command line, with the licences of what is in it', async () => {
      expect(await run(process.execPath, [command('slipway'), '--version'], { env })).toBe(`${version}\n`);
      const licences = join(project, 'node_modules/@slipway/cli/dist/licences.txt');
      expect(readFileSync(licences, 'utf8')).toMatch(/^commander [\d.]+ \(MIT\)$/m);
    });

    it('bring the SDK and its command', async () => {
      const program = "import { createClient } from '@slipway/sdk'; console.log(typeof createClient);";
      const args = ['--input-type=module', '--eval', program];
      expect(await run(process.execPath, args, { cwd: project, env })).toBe('function\n');
      expect(existsSync(command('slipway-with-network'))).toBe(true);
    });

    it('name the repository, which npm compares with the workflow that publishes them', () => {
      for (const [name, directory] of [
        ['@slipway/sdk', 'sdk'],
        ['@slipway/cli', 'cli'],
      ] as const) {
        const url = 'git+https://github.com/Team/slipway.git';
        expect(manifestOf(name)).toMatchObject({ version, repository: { type: 'git', url, directory } });
      }
    });

    it('have the version that the action installs', () => {
      const manifest = manifestOf('@slipway/cli');
      expect(cliPackage).toBe(`${manifest.name}@${manifest.version}`);
    });
  });

  it('goes to a registry with the login of docker, the chart as well', async () => {
    const closed = await startRegistry({ needsLogin: true });
    const auth = Buffer.from(`${registryUser.user}:${registryUser.password}`).toString('base64');
    writeFileSync(join(folder, 'config.json'), JSON.stringify({ auths: { [closed.host]: { auth } } }));
    process.env.DOCKER_CONFIG = folder;
    try {
      const other = testRelease(closed, 'team', version);
      await publish(other, await prepared(other, []));
      expect(await publishedDigest(other, 'charts/slipway')).toMatch(/^sha256:/);
    } finally {
      delete process.env.DOCKER_CONFIG;
      await closed.stop();
    }
  });

  it('says of each image where it is and what is in it', async () => {
    const left = dirname(published.chart);
    const images: { name: ReleaseImage; image: string; digest: string }[] = JSON.parse(
      readFileSync(partsOf(left).published, 'utf8'),
    );
    expect(images.map(({ name }) => name).sort()).toEqual(
      ['service', 'evm-dev', 'compilers', ...engines].sort(),
    );
    for (const { name, image, digest } of images) {
      expect(image).toBe(`${registry.host}/team/slipway/${name}`);
      expect(digest).toBe(await publishedDigest(release, name));
      const { packages } = JSON.parse(readFileSync(partsOf(left).sbom(name), 'utf8'));
      expect(packages.map((one: { name: string }) => one.name)).toEqual([name, 'yaml']);
    }
  });

  it('that was interrupted goes on where it was, and has no chart until it has the images', async () => {
    const other = { ...release, registry: { ...release.registry, path: 'other' } };
    const target = await prepared(other);
    const archive = partsOf(target).image('compilers');
    renameSync(archive, `${archive}.away`);
    await expect(publish(other, target)).rejects.toThrow('compilers.tar');
    expect(await publishedDigest(other, 'service')).toMatch(/^sha256:/);
    expect(await publishedDigest(other, 'charts/slipway')).toBeUndefined();
    renameSync(`${archive}.away`, archive);
    // What is there already is not read again.
    rmSync(partsOf(target).image('service'));
    await publish(other, target);
    expect(await publishedDigest(other, 'charts/slipway')).toMatch(/^sha256:/);
  });

  it('that is built and published again stays what it is', async () => {
    const digest = await publishedDigest(release, 'charts/slipway');
    const target = await prepared(release);
    rmSync(dirname(partsOf(target).image('service')), { recursive: true });
    const { chart } = await publish(release, target);
    expect(readFileSync(chart)).toEqual(readFileSync(published.chart));
    expect(await publishedDigest(release, 'charts/slipway')).toBe(digest);
  });

  it('never becomes that of another commit', async () => {
    const other = { ...release, revision: 'b'.repeat(40) };
    await expect(publish(other, await prepared(other))).rejects.toThrow(
      `was published from ${release.revision}, not from ${'b'.repeat(40)}: release the next version instead`,
    );
  });
});
