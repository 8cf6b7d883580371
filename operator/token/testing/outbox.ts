import { idKey } from '../../../core/api/ids.ts';
import { labels } from '../../../core/api/names.ts';
import { outboxType } from '../../../core/api/resources/resources.ts';
import { aUser } from '../../../core/api/testing/accountBuilders.ts';
import { asStored } from '../../../core/api/testing/stored.ts';
import { createReflector } from '../../../core/kube/cache/reflector.ts';
import type { Kube } from '../../../core/kube/kube.ts';
import { type Clock, systemClock } from '../../../core/lib/clock.ts';
import { silentLog } from '../../../core/lib/log.ts';
import { type ChainScene, sceneSealer } from '../../../core/outbox/testing/scene.ts';
import { createSigner } from '../../../core/signing/signer.ts';
import { createOutboxController } from '../../outbox/controller.ts';
import type { OutboxDeps } from '../../outbox/deps.ts';

/** After this time, the Outbox's own controller sends what others have not sent. */
const graceMs = 10_000;

/** It reconciles more often than in production: operators that died have left it a lot of work. */
const haste = 10;
const hastyClock: Clock = {
  ...systemClock,
  after: (delayMs, callback) => systemClock.after(delayMs / haste, callback),
};

const noService = () => ({
  address: '',
  withKey: () => Promise.reject(new Error('no service account')),
});

/** The Outbox controllers of a live operator, next to one that dies: what was accepted is sent immediately. */
export async function startOutboxOperator(
  kube: Kube,
  scene: Pick<ChainScene, 'user'>,
  {
    caches,
    rpcOf,
  }: Pick<OutboxDeps, 'rpcOf'> & { caches: Pick<OutboxDeps['caches'], 'networks' | 'secrets'> },
  serviceOf: OutboxDeps['serviceOf'] = noService,
) {
  const common = { kube, clock: systemClock, log: silentLog };
  const { namespace, workspaceId, userId } = scene.user;
  const user = asStored(aUser({ name: userId, spec: {} }));
  const outboxes = createReflector({
    ...common,
    type: outboxType,
    namespace,
    indexes: {
      queue: ({ metadata }) => [`${metadata.namespace}/${metadata.labels?.[labels.queue] ?? ''}`],
      network: ({ metadata, spec }) => [idKey(metadata.namespace, spec.networkID)],
    },
  });
  outboxes.start();
  await outboxes.whenSynced();
  const stopping = new AbortController();
  const deps: OutboxDeps = {
    ...common,
    clock: hastyClock,
    kube: { ...kube, serverTimeMs: async () => (await kube.serverTimeMs()) + graceMs },
    caches: {
      outboxes,
      networks: caches.networks,
      secrets: caches.secrets,
      users: { get: ({ name }) => (name === userId ? user : undefined) },
    },
    rpcOf,
    signer: createSigner(1),
    serviceOf,
    sealer: sceneSealer,
    installation: { defaultWorkspace: { id: workspaceId, namespace } },
    serviceNamespace: 'slipway-system',
    metrics: { settled: () => undefined, resent: () => undefined, filled: () => undefined },
  };
  const running = createOutboxController(deps, { workers: 4 }).run(stopping.signal);
  return {
    async stop() {
      stopping.abort();
      await running;
      await outboxes.stop();
    },
  };
}
