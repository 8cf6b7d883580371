import { aKeyring } from '../../core/accounts/testing/keyrings.ts';
import { annotations, labels, waitingNetwork } from '../../core/api/names.ts';
import type { WorkspaceResource } from '../../core/api/resources/accountResources.ts';
import { workspaceType } from '../../core/api/resources/resources.ts';
import { aWorkspace } from '../../core/api/testing/accountBuilders.ts';
import { type ChangingEngines, changingEngines } from '../../core/engines/testing/engineSets.ts';
import { createReflector } from '../../core/kube/cache/reflector.ts';
import { createFakeKube, type FakeKube } from '../../core/kube/testing/fake/fake.ts';
import { namespaceType, type Pod, podType } from '../../core/kube/types.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { AppError } from '../../core/lib/errors.ts';
import { silentLog } from '../../core/lib/log.ts';
import { createManualClock, type ManualClock } from '../../core/lib/manualClock.ts';
import { anInstallation, someEngines } from '../network/testing/facts.ts';
import { createPoolController } from './controller.ts';
import { createPools, type Pools } from './pools.ts';
import { waitingIndex } from './waitingPod.ts';

const serviceNamespace = 'slipway-system';
const namespace = 'slipway-team';
const keys = { engines: aKeyring('engine key') };

let kube: FakeKube;
let clock: ManualClock;
let pools: Pools;
let engines: ChangingEngines;
let stop: () => Promise<void>;
beforeEach(async () => {
  kube = createFakeKube();
  clock = createManualClock();
  pools = createPools();
  await kube.create(workspaceType, aWorkspace());
  for (const name of [namespace, 'ws']) {
    await kube.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }
});
afterEach(() => stop());

async function start(others: object = {}, set = someEngines()): Promise<void> {
  const common = {
    kube,
    clock: systemClock,
    log: silentLog,
    kubeMetrics: { watchRestarts: () => undefined },
  };
  const pods = createReflector<Pod>({
    ...common,
    type: podType,
    labelSelector: labels.network,
    indexes: { waiting: waitingIndex },
  });
  const workspaces = createReflector<WorkspaceResource>({ ...common, type: workspaceType });
  const end = new AbortController();
  for (const cache of [pods, workspaces]) cache.start();
  await Promise.all([pods.whenSynced(), workspaces.whenSynced()]);
  const deps = { kube, caches: { pods, workspaces }, serviceNamespace, keys, pools, clock, log: silentLog };
  engines = changingEngines(set);
  const controller = createPoolController(
    { ...deps, engines, installation: anInstallation(others) },
    { workers: 1 },
  );
  const running = controller.run(end.signal);
  stop = async () => {
    end.abort();
    await Promise.all([running, pods.stop(), workspaces.stop()]);
  };
}

const pods = async (at = namespace) => (await kube.list(podType, { namespace: at })).items;
const namesOf = async (at?: string) => (await pods(at)).map(({ metadata }) => metadata.name);

/** Resolves once so many pods wait. */
async function count(number: number, at?: string): Promise<string[]> {
  for (;;) {
    const names = await namesOf(at);
    if (names.length === number) return names;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

/** A network starts, and has settled. */
function use(): void {
  pools.used(namespace, clock.nowMs());
  clock.advance(3_000);
}

it('a workspace where networks start has pods that wait, as many as started, up to the limit', async () => {
  await start();
  expect(await namesOf()).toEqual([]);
  use();
  await count(1);
  use();
  use();
  await count(2);
});

it('the default workspace has one before anybody has used it', async () => {
  await kube.create(
    workspaceType,
    aWorkspace({ metadata: { name: 'default', namespace: serviceNamespace } }),
  );
  await start();
  await count(1, 'ws');
});

it('a waiting pod has no token, runs unprivileged with a read-only file system, and belongs to its namespace', async () => {
  await start();
  use();
  await count(1);
  const [pod] = await pods();
  const owner = await kube.get(namespaceType, { name: namespace });
  expect(pod?.metadata.ownerReferences).toMatchObject([{ kind: 'Namespace', uid: owner?.metadata.uid }]);
  expect(pod?.spec).toMatchObject({
    automountServiceAccountToken: false,
    securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    containers: [
      {
        command: [
          '/usr/local/bin/launcher',
          ':8545',
          '/etc/slipway',
          '/bin/sh',
          '/usr/local/bin/entrypoint.sh',
        ],
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
        readinessProbe: { tcpSocket: { port: 'rpc' } },
      },
    ],
  });
});

it('its spec shows the hash of its secret alone, which is that of no other pod', async () => {
  await start({ warmEngines: { min: 2 } });
  await count(2);
  const hashes = (await pods()).map(({ spec }) => spec.containers[0]?.env?.map(({ value }) => value).join());
  expect(hashes).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), expect.stringMatching(/^[0-9a-f]{64}$/)]);
  expect(new Set(hashes).size).toBe(2);
});

it('they are gone an hour after the last start', async () => {
  await start();
  use();
  await count(1);
  clock.advance(3_600_000);
  await count(0);
});

it('they go with their workspace', async () => {
  await start();
  use();
  await count(1);
  await kube.delete(workspaceType, { namespace: serviceNamespace, name: 'team' });
  await count(0);
});

it('an upgrade of the engine replaces those that wait, and leaves those that were adopted', async () => {
  await start();
  use();
  use();
  const [first = '', second = ''] = await count(2);
  const adopted = { labels: { [labels.network]: 'u-1' }, annotations: { [annotations.adopted]: 'now' } };
  await kube.patch(podType, { namespace, name: first }, { metadata: adopted });
  await stop();
  await start({}, newer);
  await untilReplaced(second);
  expect(await kube.get(podType, { namespace, name: first })).toBeDefined();
});

const newer = someEngines({ 'evm-dev': 'evm-dev:2' });

async function untilReplaced(old: string): Promise<void> {
  const isDone = async () => {
    const images = (await pods()).map(({ metadata, spec }) => [metadata.name, spec.containers[0]?.image]);
    return images.some(([, image]) => image === 'evm-dev:2') && !images.some(([name]) => name === old);
  };
  while (!(await isDone())) await new Promise((resolve) => setTimeout(resolve, 1));
}

it('another image of the engine replaces those that wait, without a restart of the operator', async () => {
  await start();
  use();
  const [old = ''] = await count(1);
  engines.become(newer);
  await untilReplaced(old);
});

it('leaves a pod alone that only has their label', async () => {
  const foreign = { name: 'foreign', namespace, labels: { [labels.network]: waitingNetwork } };
  await kube.create(podType, { apiVersion: 'v1', kind: 'Pod', metadata: foreign, spec: { containers: [] } });
  await start();
  use();
  expect(await count(2)).toContain('foreign');
  clock.advance(3_600_000);
  expect(await count(1)).toEqual(['foreign']);
});

it('switched off, those that wait are deleted', async () => {
  await start({ warmEngines: { min: 1 } });
  await count(1);
  await stop();
  await start({ warmEngines: { enabled: false, min: 1 } });
  await count(0);
});

it('makes room while a network needs it, and for ten minutes after', async () => {
  await start();
  use();
  await count(1);
  pools.pause(namespace, clock.nowMs());
  await count(0);
  clock.advance(600_000);
  await count(1);
});

it.each<[string, object]>([
  ['has no node', { conditions: [{ type: 'PodScheduled', status: 'False', message: 'Insufficient cpu' }] }],
  [
    'cannot run its image',
    {
      containerStatuses: [
        { name: 'rpc', ready: false, restartCount: 0, state: { waiting: { reason: 'RunContainerError' } } },
      ],
    },
  ],
])('gives up for ten minutes when a pod %s', async (_why, status) => {
  await start();
  use();
  const [name = ''] = await count(1);
  await kube.patch(podType, { namespace, name }, { status }, 'status');
  await count(0);
  clock.advance(599_000);
  expect(pools.pausedUntilMs(namespace)).toBe(clock.nowMs() + 1_000);
  clock.advance(1_000);
  expect(await count(1)).not.toContain(name);
});

it('does not try again for ten minutes where the quota is used up', async () => {
  await start();
  const refused: string[] = [];
  kube.intercept(({ verb, kind }) => {
    if (verb !== 'create' || kind !== 'Pod' || refused.length > 0) return;
    refused.push(kind);
    throw new AppError('Forbidden', 'pods "x" is forbidden: exceeded quota: budget, requested: pods=1');
  });
  use();
  while (refused.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  expect(await namesOf()).toEqual([]);
  while (pools.pausedUntilMs(namespace) === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  clock.advance(600_000);
  await count(1);
});

it('does not delete a pod that a network adopts meanwhile', async () => {
  await start({ warmEngines: { min: 2 } });
  const [name = ''] = await count(2);
  const pod = await kube.get(podType, { namespace, name });
  expect(pod && pools.take(pod)).toBe(true);
  pools.pause(namespace, clock.nowMs());
  expect(await count(1)).toEqual([name]);
});
