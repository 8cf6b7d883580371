import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { waitUntil } from '../lib/wait.ts';
import { startTestEnvironment, type TestEnvironment } from '../testenv/environment.ts';
import { ensureTools } from '../tools/ensure.ts';
import { helmSkipReason } from './render.ts';
import { chartOfTag, createKeyedRelease, formerChart, hasTag } from './testing/keyedRelease.ts';

jest.setTimeout(120_000);

const suite = helmSkipReason() ? describe.skip : describe;
const tag = 'v0.2.0';
const secrets = ['slipway-keys', 'slipway-bootstrap'];

/**
 * Releases from before the keys left the manifest. As in keysOutside.int.test.ts, the program of the hook runs in the
 * place of its Job, and helm runs without hooks.
 */
suite(`keys of releases that had them in their manifest${helmSkipReason() ? ` (skipped: ${helmSkipReason()})` : ''}`, () => {
  let environment: TestEnvironment;
  let folder: string;
  let release: ReturnType<typeof createKeyedRelease>;
  beforeAll(async () => {
    const { kubectl } = await ensureTools(['kubectl']);
    environment = await startTestEnvironment();
    folder = mkdtempSync(join(tmpdir(), 'slipway-keys-'));
    release = createKeyedRelease(folder, environment.kubeconfig, kubectl);
    for (const name of ['slipway-system', 'slipway-default'])
      await release.kubectl('create', 'namespace', name);
  });
  afterEach(async () => {
    await release.helm('uninstall', 'slipway', '--no-hooks');
    await release.kubectl('delete', 'secrets', '--all');
  });
  afterAll(async () => {
    await environment?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const both = () => Promise.all(secrets.map(release.read));
  /** A new policy takes effect after a moment. */
  const guarded = () =>
    waitUntil(
      async () => {
        const patch = JSON.stringify({ metadata: { annotations: null }, data: { 'master-keys': 'YQ==' } });
        const args = ['patch', 'secret', 'slipway-keys', '--type=merge', '--dry-run=server', '-p', patch];
        return release.kubectl(...args).then(
          () => false,
          (error) => String(error).includes('cannot be rolled back to'),
        );
      },
      30_000,
      'the policy did not take effect',
    );

  it.each([
    ['that keeps its data', {}],
    ['that is about to be purged', { crds: { keep: false } }],
  ])('an upgrade takes the keys out of a release %s, and they are the same', async (_what, values) => {
    await release.upgrade(values, formerChart(folder));
    await release.rotate();
    const before = await both();
    await release.upgrade(values);
    expect(await both()).toEqual(before);
  });

  it('a rollback to a release that had the keys in it is refused when they were replaced since', async () => {
    await release.upgrade({}, formerChart(folder));
    await release.upgrade();
    await guarded();
    await release.rotate();
    const rotated = await both();
    const { code, output } = await release.rollBack('1');
    expect([code, output]).toEqual([1, expect.stringContaining('cannot be rolled back to (docs/keys.md)')]);
    expect(await both()).toEqual(rotated);
    await release.upgrade();
    expect(await both()).toEqual(rotated);
  });

  it('a rollback to a release that had the keys in it is possible while they are the same', async () => {
    await release.upgrade({}, formerChart(folder));
    await release.upgrade();
    await guarded();
    const before = await both();
    expect(await release.rollBack('1')).toMatchObject({ code: 0 });
    expect(await both()).toEqual(before);
    await release.upgrade();
    expect(await both()).toEqual(before);
  });

  const noTag = hasTag(tag) ? '' : ` (skipped: git has no tag ${tag})`;
  (noTag ? it.skip : it)(
    `an upgrade from version 0.2.0 keeps its keys and adds those that it did not have${noTag}`,
    async () => {
      await release.upgrade({}, await chartOfTag(folder, tag));
      const [keys, bootstrap] = await both();
      await release.upgrade();
      const after = await both();
      expect(after).toEqual([expect.objectContaining({ ...keys }), bootstrap]);
      const engineKey = Buffer.from(after[0]?.['engine-keys'] ?? '', 'base64').toString();
      expect(engineKey).toBe(`k1:${keys?.['gateway-key']}\n`);
    },
  );

  it('an uninstall leaves the keys for the next installation', async () => {
    await release.upgrade();
    const before = await both();
    expect(await release.helm('uninstall', 'slipway', '--no-hooks')).toMatchObject({ code: 0 });
    await release.upgrade();
    expect(await both()).toEqual(before);
  });
});
