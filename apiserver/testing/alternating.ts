import { randomBytes } from 'node:crypto';
import { featureResources } from '../../core/api/features.ts';
import { idOf } from '../../core/api/ids.ts';
import { type OperationId, operationIds, operationOf } from '../../core/api/operations/operations.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import {
  invitationType,
  networkType,
  recordingType,
  snapshotType,
} from '../../core/api/resources/resources.ts';
import type { Kube, KubeObject, Stored } from '../../core/kube/kube.ts';
import { confined } from '../../core/kube/testing/confined.ts';
import { stableJson } from '../../core/lib/hash.ts';
import { rotatedAccessKeys } from '../../core/networks/accessEpochs.ts';
import { isStopRequested, isWakeRequested } from '../../core/networks/wake.ts';
import { type ChainScene, createChainScene, sceneSealer } from '../../core/outbox/testing/scene.ts';
import { createTestKube } from '../../hack/testenv/testKube.ts';
import { features } from '../../test/features.ts';
import { statusOf } from '../recordings/testing/recordingsApi.ts';
import { readyOf, running } from '../snapshots/testing/scene.ts';
import { eventually } from './eventually.ts';
import { type Answer, type RequestOptions, startTestApi, type TestApi } from './harness.ts';
import { createLateKube } from './laggingKube.ts';
import { reportStatus } from './reportStatus.ts';

/** How much later than a healthy watch those of the replicas are. */
const lateMs = 40;

/** Two replicas with caches that are late: each write is asked of one of them in turn, what follows of the other. */
export interface Alternating {
  scene: ChainScene;
  /** The operations that were written with. */
  walked: Set<OperationId>;
  write(id: OperationId, path: string, options?: RequestOptions): Promise<Answer>;
  /** Asks the replica that did not write last. */
  read(path: string, options?: RequestOptions): Promise<Answer>;
  stop(): Promise<void>;
}

/** Over a real kube-apiserver, a chain, and what answers in place of the operator. */
export async function startAlternating(): Promise<Alternating> {
  const [kube, ...own] = [createTestKube(), createTestKube(), createTestKube()];
  const namespace = `alternating-${randomBytes(4).toString('hex')}`;
  const scene = await createChainScene(kube);
  const common = { users: [scene.user], upstreams: scene.upstreams, sealer: sceneSealer, namespace };
  const replicas: TestApi[] = [];
  for (const client of own) {
    const late = createLateKube(client, lateMs);
    replicas.push(
      await startTestApi({ ...common, kube: late, hasDefaults: true, quota: { webhooks: 9, snapshots: 9 } }),
    );
  }
  // kube-apiserver refuses the first lists of a kind while it is loading it.
  for (const type of [invitationType, ...featureResources.map((resource) => resource.type)])
    await eventually(() => kube.list<KubeObject>(type).catch(() => undefined), Boolean);
  const operators = startOperators(confined(kube, scene.user.namespace));
  const walked = new Set<OperationId>();
  const ask = async (
    api: TestApi | undefined,
    path: string,
    options: RequestOptions = {},
  ): Promise<Answer> => {
    if (!api) throw new Error('no replica was started');
    return api.request(path, options);
  };
  return {
    scene,
    walked,
    async write(id, path, options = {}) {
      replicas.reverse();
      const answer = await ask(replicas[0], path, { method: operationOf(id).method, ...options });
      if (answer.status >= 300) throw new Error(`${id}: ${answer.status} ${answer.text}`);
      walked.add(id);
      return answer;
    },
    read: (path, options) => ask(replicas[1], path, options),
    async stop() {
      await Promise.all([...operators.map((end) => end()), ...replicas.map((api) => api.close())]);
      await scene.stop();
      await Promise.all([kube, ...own].map((client) => client.close()));
    },
  };
}

/** All operations that may change something. */
export const writing = operationIds.filter((id) => {
  const { method, isRead } = operationOf(id);
  return method !== 'GET' && !isRead;
});

/** What answers in place of the operator. */
function startOperators(kube: Kube): (() => Promise<void>)[] {
  const ids = new Map<string, string>();
  return [
    reportStatus(kube, networkType, (network) => {
      ids.set(network.metadata.name, idOf(network));
      return networkStatus(network);
    }),
    reportStatus(kube, snapshotType, ({ spec, status }) =>
      status ? undefined : readyOf(ids.get(spec.network) ?? ''),
    ),
    ...features.flatMap(({ operate }) => operate?.(kube) ?? []),
    reportStatus(kube, recordingType, ({ spec, status }) => {
      const chunksOf = Object.fromEntries(spec.networks.map((name) => [name, 0]));
      const isNews = status?.state !== (spec.stopped ? 'recorded' : 'recording');
      return isNews ? statusOf({ ...spec, chunksOf }) : undefined;
    }),
  ];
}

/** What the operator reports for a network of which something was asked. */
function networkStatus(network: Stored<NetworkResource>): object | undefined {
  const { metadata, status } = network;
  const { 'slipway.dev/stop': observedStop, 'slipway.dev/wake': observedWake } = metadata.annotations ?? {};
  const isStopped = isStopRequested(network) || (status?.state === 'Stopped' && !isWakeRequested(network));
  const next = {
    ...running,
    ...status,
    state: isStopped ? 'Stopped' : 'Operational',
    observedGeneration: metadata.generation,
    ...(observedStop ? { observedStop } : {}),
    ...(observedWake ? { observedWake } : {}),
    accessKeys: rotatedAccessKeys(network),
  };
  return stableJson(next) === stableJson(status ?? {}) ? undefined : next;
}
