import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseRegistry } from '../images/registry/reference.ts';
import { UserError } from '../lib/run.ts';
import { findCommand } from '../nativeNode/setup/packages.ts';
import { startRegistry, type TestRegistry } from '../testing/registry.ts';
import { publishImages } from './images.ts';
import type { ReleaseImage } from './names.ts';
import { pullImages } from './pull.ts';
import { createStandIns, testRelease } from './testing/archives.ts';

const reason = findCommand('apt-get') ? undefined : 'apt-get is not there';
const suite = reason ? describe.skip : describe;
const version = '1.2.3';

/** The images of a release, from a real registry; the cluster only records what it is to pull. */
suite(`make up at the tag of a release${reason ? ` (skipped: ${reason})` : ''}`, () => {
  let folder: string;
  let registry: TestRegistry;
  let digests: ReadonlyMap<string, string>;
  let pulled: string[];
  let printed: string;
  const write = process.stdout.write;
  const cluster = {
    pullImage: async (image: string) => {
      pulled.push(image);
    },
  };
  const at = (path: string, other = version) => ({
    version: other,
    registry: parseRegistry(`${registry.host}/${path}`),
  });
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-released-'));
    registry = await startRegistry();
    const { build } = createStandIns(folder);
    const release = testRelease(registry, 'team', version);
    const names: ReleaseImage[] = ['service', 'evm-dev', 'compilers', 'drand'];
    const archives = new Map<string, string>();
    for (const name of names) archives.set(name, await build(name));
    const archiveOf = (name: ReleaseImage) => archives.get(name) ?? '';
    digests = await publishImages(release, names, archiveOf);
    await publishImages(testRelease(registry, 'half', version), ['service'], archiveOf);
  });
  beforeEach(() => {
    pulled = [];
    printed = '';
    process.stdout.write = (text: string | Uint8Array) => {
      printed += String(text);
      return true;
    };
  });
  afterEach(() => {
    process.stdout.write = write;
  });
  afterAll(async () => {
    await registry.stop();
    rmSync(folder, { recursive: true });
  });

  it('pulls the images of every installation by their digests, and names those of engines', async () => {
    const named = (name: string) => ({
      repository: `${registry.host}/team/${name}`,
      tag: version,
      digest: digests.get(name),
    });
    expect(await pullImages(at('team'), cluster)).toEqual({
      service: named('service'),
      evmDev: named('evm-dev'),
      compilers: named('compilers'),
      // The builder makes the others.
      heavy: { drand: named('drand') },
    });
    expect(pulled).toEqual(
      ['service', 'evm-dev', 'compilers'].map((name) => `${registry.host}/team/${name}@${digests.get(name)}`),
    );
  });

  it.each([
    ['an image was not published', () => at('half'), cluster, 'half/evm-dev:1.2.3'],
    ['the version was not published', () => at('team', '1.2.4'), cluster, 'team/service:1.2.4'],
    [
      'the registry cannot be reached',
      () => ({ version, registry: parseRegistry('127.0.0.1:1') }),
      cluster,
      'the registry 127.0.0.1:1 cannot be reached',
    ],
    [
      'the nodes cannot pull',
      () => at('team'),
      { pullImage: () => Promise.reject(new UserError('no match for platform in manifest')) },
      'no match for platform in manifest',
    ],
  ])('has them built, and says so in one line, when %s', async (_what, release, nodes, why) => {
    expect(await pullImages(release(), nodes)).toBeUndefined();
    const lines = printed.split('\n').filter((line) => line.includes('so they are built'));
    expect(lines).toEqual([expect.stringContaining(why)]);
  });

  it('has them built where the nodes pull nothing', async () => {
    expect(await pullImages(at('team'), {})).toBeUndefined();
    expect(printed).toBe('');
  });
});
