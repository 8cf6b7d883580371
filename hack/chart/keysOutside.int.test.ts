import { helmSkipReason } from './render.ts';
import { type KeyedRelease, useKeyedReleases } from './testing/keyedRelease.ts';

const suite = helmSkipReason() ? describe.skip : describe;
const own = { logLevel: 'debug' };

/** A Job cannot run without nodes: its program runs here in the place of the hook, as its account, and helm runs without hooks. */
suite(`keys outside the release${helmSkipReason() ? ` (skipped: ${helmSkipReason()})` : ''}`, () => {
  let release: KeyedRelease;
  useKeyedReleases((fresh) => {
    release = fresh;
  });

  it('a rotation survives upgrades and rollbacks, and no revision of the release holds a key', async () => {
    await release.upgrade();
    const [installed, bootstrap] = await release.keys();
    await release.rotate();
    const rotated = await release.read('slipway-keys');
    for (const file of ['master-keys', 'access-keys']) expect(rotated?.[file]).not.toBe(installed?.[file]);
    await release.upgrade(own);
    expect(await release.keys()).toEqual([rotated, bootstrap]);
    expect(await release.rollBack('1')).toMatchObject({ code: 0 });
    expect(await release.keys()).toEqual([rotated, bootstrap]);

    const values = [installed, rotated, bootstrap].flatMap((data) => Object.values(data ?? {}));
    const plain = values.map((value) => Buffer.from(value, 'base64').toString().trim());
    const revisions = await release.revisions();
    expect(revisions).toContain('slipway-keys');
    expect([...values, ...plain].filter((text) => revisions.includes(text))).toEqual([]);
    expect(values).toHaveLength(16);
  });

  it("the hook makes only what is missing, and leaves the user's own Secrets alone", async () => {
    await release.runHook({ keys: { existingSecret: 'mine' } });
    const [keys, bootstrap] = await release.keys();
    expect([keys, Object.keys(bootstrap ?? {}).sort()]).toEqual([undefined, ['keyId', 'keySecret']]);
    await release.kubectl('patch', 'secret', 'slipway-bootstrap', '-p', '{"data":{"keySecret":null}}');
    await release.runHook({});
    expect(await release.read('slipway-bootstrap')).toEqual({
      keyId: bootstrap?.keyId,
      keySecret: expect.not.stringMatching(`^${bootstrap?.keySecret}$`),
    });
  });
});
