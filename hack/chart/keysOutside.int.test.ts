import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { startTestEnvironment, type TestEnvironment } from '../testenv/environment.ts';
import { ensureTools } from '../tools/ensure.ts';
import { helmSkipReason } from './render.ts';
import { createKeyedRelease } from './testing/keyedRelease.ts';

jest.setTimeout(120_000);

const suite = helmSkipReason() ? describe.skip : describe;
const own = { logLevel: 'debug' };
const secrets = ['slipway-keys', 'slipway-bootstrap'];

/** A Job cannot run without nodes: its program runs here in the place of the hook, as its account, and helm runs without hooks. */
suite(`keys outside the release${helmSkipReason() ? ` (skipped: ${helmSkipReason()})` : ''}`, () => {
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

  it('a rotation survives upgrades and rollbacks, and no revision of the release holds a key', async () => {
    await release.upgrade();
    const [installed, bootstrap] = await both();
    await release.rotate();
    const rotated = await release.read('slipway-keys');
    for (const file of ['master-keys', 'access-keys']) expect(rotated?.[file]).not.toBe(installed?.[file]);
    await release.upgrade(own);
    expect(await both()).toEqual([rotated, bootstrap]);
    expect(await release.rollBack('1')).toMatchObject({ code: 0 });
    expect(await both()).toEqual([rotated, bootstrap]);

    const values = [installed, rotated, bootstrap].flatMap((data) => Object.values(data ?? {}));
    const plain = values.map((value) => Buffer.from(value, 'base64').toString().trim());
    const revisions = await release.revisions();
    expect(revisions).toContain('slipway-keys');
    expect([...values, ...plain].filter((text) => revisions.includes(text))).toEqual([]);
    expect(values).toHaveLength(16);
  });

  it("the hook makes only what is missing, and leaves the user's own Secrets alone", async () => {
    await release.runHook({ keys: { existingSecret: 'mine' } });
    const [keys, bootstrap] = await both();
    expect([keys, Object.keys(bootstrap ?? {}).sort()]).toEqual([undefined, ['keyId', 'keySecret']]);
    await release.kubectl('patch', 'secret', 'slipway-bootstrap', '-p', '{"data":{"keySecret":null}}');
    await release.runHook({});
    expect(await release.read('slipway-bootstrap')).toEqual({
      keyId: bootstrap?.keyId,
      keySecret: expect.not.stringMatching(`^${bootstrap?.keySecret}$`),
    });
  });
});
