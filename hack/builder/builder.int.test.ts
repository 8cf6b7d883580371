import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { engineObjects } from '../../core/api/names.ts';
import type { KubeClient } from '../../core/kube/client/client.ts';
import { configMapType, leaseType, namespaceType } from '../../core/kube/types.ts';
import { isAppError } from '../../core/lib/errors.ts';
import { createTestKube, testKubeconfig } from '../testenv/testKube.ts';
import { releaseNamespace as namespace } from '../up/names.ts';
import { readPublished } from './object.ts';

/** The builder as `make up` leaves it on a machine with kind, on a cluster where nothing is wanted. */
describe('the process of the builder', () => {
  let kube: KubeClient;
  let folder: string;
  let child: ChildProcess;
  const lease = () => kube.get(leaseType, { namespace, name: engineObjects.builder });

  beforeAll(async () => {
    kube = createTestKube();
    folder = mkdtempSync(join(tmpdir(), 'slipway-builder-'));
    mkdirSync(join(folder, 'slipway', 'kind'), { recursive: true });
    copyFileSync(testKubeconfig(), join(folder, 'slipway', 'kind', 'kubeconfig'));
    const home = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
    await kube.create(namespaceType, home).catch((error: unknown) => {
      if (!isAppError(error, 'Conflict')) throw error;
    });
    child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), 'kind'], {
      env: { ...process.env, XDG_CACHE_HOME: folder },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  });
  afterAll(async () => {
    child?.kill('SIGKILL');
    await kube.delete(configMapType, { namespace, name: engineObjects.available });
    await kube.delete(leaseType, { namespace, name: engineObjects.builder });
    await kube.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('holds its Lease for a minute, and offers what this machine can build', async () => {
    while ((await readPublished(kube)).size === 0) await delay(100);
    expect((await lease())?.spec).toMatchObject({
      holderIdentity: expect.any(String),
      leaseDurationSeconds: 60,
    });
    for (const { state } of (await readPublished(kube)).values()) expect(state).toBe('Buildable');
  });

  it('gives the Lease back when it is stopped', async () => {
    child.kill('SIGTERM');
    await once(child, 'exit');
    expect((await lease())?.spec?.holderIdentity).toBeUndefined();
  });
});
