import { readWorkspaceShares, workspaceSharesFile } from '../../core/accounts/shares/workspaceShares.ts';
import { apiVersion, engineObjects, workspaceSharesObject } from '../../core/api/names.ts';
import type { WorkspaceResource } from '../../core/api/resources/accountResources.ts';
import { workspaceType } from '../../core/api/resources/resources.ts';
import { createReflector, type Reflector } from '../../core/kube/cache/reflector.ts';
import { createFakeKube, type FakeKube } from '../../core/kube/testing/fake/fake.ts';
import { settle } from '../../core/kube/testing/settle.ts';
import { configMapType } from '../../core/kube/types.ts';
import { silentLog } from '../../core/lib/log.ts';
import { createManualClock, type ManualClock } from '../../core/lib/manualClock.ts';
import { createSharesController } from './controller.ts';

const namespace = 'slipway-system';
const ref = { namespace, name: workspaceSharesObject };

describe('which workspaces have one owner, as it is written for the fork proxy', () => {
  let kube: FakeKube;
  let clock: ManualClock;
  let workspaces: Reflector<WorkspaceResource>;
  let stop: AbortController;
  let running: Promise<void>;

  const own = (name: string, owner: string) =>
    kube.create(workspaceType, {
      apiVersion,
      kind: 'Workspace',
      metadata: { namespace, name },
      spec: { name, owners: [owner] },
    });
  const written = async () => {
    await settle();
    await clock.advance(1_000);
    await settle();
    return (await kube.get(configMapType, ref))?.data?.[workspaceSharesFile];
  };
  const writes = () =>
    kube.requests.filter(({ verb, kind }) => kind === 'ConfigMap' && (verb === 'create' || verb === 'patch'))
      .length;

  async function lead(): Promise<void> {
    stop = new AbortController();
    const deps = { kube, clock, log: silentLog, serviceNamespace: namespace };
    const controller = createSharesController(
      {
        ...deps,
        caches: { workspaces },
        defaultWorkspace: { id: 'default', namespace: 'slipway-default' },
      },
      { workers: 4 },
    );
    running = controller.run(stop.signal);
    await settle();
  }
  async function resign(): Promise<void> {
    stop.abort();
    await running;
  }

  beforeEach(async () => {
    kube = createFakeKube();
    clock = createManualClock();
    workspaces = createReflector({ kube, clock, log: silentLog, type: workspaceType, namespace });
    workspaces.start();
    await workspaces.whenSynced();
    await kube.create(configMapType, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { namespace, name: engineObjects.chart },
    });
    kube.requests.length = 0;
  });
  afterEach(async () => {
    await resign();
    await workspaces.stop();
  });

  it('follows the workspaces, and many changes are one write', async () => {
    await lead();
    expect([await written(), writes()]).toEqual(['{}', 1]);
    for (const name of ['one', 'two', 'three']) await own(name, 'greedy');
    const shareOf = readWorkspaceShares((await written()) ?? '');
    expect(shareOf('slipway-one')).toBe(shareOf('slipway-three'));
    expect(writes()).toBe(2);
    await own('four', 'modest');
    await written();
    expect(writes()).toBe(2);
    await kube.patch(workspaceType, { namespace, name: 'three' }, { spec: { owners: ['modest'] } });
    const later = readWorkspaceShares((await written()) ?? '');
    expect(later('slipway-three')).toBe(later('slipway-four'));
  });

  it('is not written again by the next leader', async () => {
    for (const name of ['one', 'two']) await own(name, 'greedy');
    await settle();
    await lead();
    await written();
    await resign();
    await lead();
    await written();
    expect(writes()).toBe(1);
  });

  it('goes with the object of the chart, so nothing is left after an uninstall', async () => {
    await lead();
    await written();
    const { metadata } = (await kube.get(configMapType, ref)) ?? {};
    expect(metadata?.ownerReferences).toMatchObject([{ kind: 'ConfigMap', name: engineObjects.chart }]);
  });
});
