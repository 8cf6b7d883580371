import { waitUntil } from '../lib/wait.ts';
import { helmSkipReason } from './render.ts';
import {
  chartOfTag,
  formerChart,
  hasTag,
  type KeyedRelease,
  useKeyedReleases,
} from './testing/keyedRelease.ts';

const suite = helmSkipReason() ? describe.skip : describe;
const tag = 'v0.2.0';

/**
 * Releases from before the keys left the manifest. As in keysOutside.int.test.ts, the program of the hook runs in the
 * place of its Job, and helm runs without hooks.
 */
suite(`keys of releases that had them in their manifest${helmSkipReason() ? ` (skipped: ${helmSkipReason()})` : ''}`, () => {
  let release: KeyedRelease;
  useKeyedReleases((fresh) => {
    release = fresh;
  });
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
    await release.upgrade(values, formerChart(release.folder));
    await release.rotate();
    const before = await release.keys();
    await release.upgrade(values);
    expect(await release.keys()).toEqual(before);
  });

  it('a rollback to a release that had the keys in it is refused when they were replaced since', async () => {
    await release.upgrade({}, formerChart(release.folder));
    await release.upgrade();
    await guarded();
    await release.rotate();
    const rotated = await release.keys();
    const { code, output } = await release.rollBack('1');
    expect([code, output]).toEqual([1, expect.stringContaining('cannot be rolled back to (docs/keys.md)')]);
    expect(await release.keys()).toEqual(rotated);
    await release.upgrade();
    expect(await release.keys()).toEqual(rotated);
  });

  it('a rollback to a release that had the keys in it is possible while they are the same', async () => {
    await release.upgrade({}, formerChart(release.folder));
    await release.upgrade();
    await guarded();
    const before = await release.keys();
    expect(await release.rollBack('1')).toMatchObject({ code: 0 });
    expect(await release.keys()).toEqual(before);
    await release.upgrade();
    expect(await release.keys()).toEqual(before);
  });

  const noTag = hasTag(tag) ? '' : ` (skipped: git has no tag ${tag})`;
  (noTag ? it.skip : it)(
    `an upgrade from version 0.2.0 keeps its keys and adds those that it did not have${noTag}`,
    async () => {
      await release.upgrade({}, await chartOfTag(release.folder, tag));
      const [keys, bootstrap] = await release.keys();
      await release.upgrade();
      const after = await release.keys();
      expect(after).toEqual([expect.objectContaining({ ...keys }), bootstrap]);
      const engineKey = Buffer.from(after[0]?.['engine-keys'] ?? '', 'base64').toString();
      expect(engineKey).toBe(`k1:${keys?.['gateway-key']}\n`);
    },
  );

  it('an uninstall leaves the keys for the next installation', async () => {
    await release.upgrade();
    const before = await release.keys();
    expect(await release.helm('uninstall', 'slipway', '--no-hooks')).toMatchObject({ code: 0 });
    await release.upgrade();
    expect(await release.keys()).toEqual(before);
  });
});
