import { idIndex } from '../../../core/api/ids.ts';
import type { NetworkResource } from '../../../core/api/resources/network.ts';
import { networkType, secretType, userType } from '../../../core/api/resources/resources.ts';
import { createEvmRpc } from '../../../core/evm/rpc.ts';
import { createReflector } from '../../../core/kube/cache/reflector.ts';
import type { Kube, Stored } from '../../../core/kube/kube.ts';
import { confined } from '../../../core/kube/testing/confined.ts';
import { systemClock } from '../../../core/lib/clock.ts';
import { silentLog } from '../../../core/lib/log.ts';
import { type ChainScene, sceneSealer } from '../../../core/outbox/testing/scene.ts';
import { createSigner } from '../../../core/signing/signer.ts';
import { createOutboxCache, createOutboxController } from '../controller.ts';
import type { OutboxDeps } from '../deps.ts';

interface OperatorOptions {
  kube: Kube;
  /** With a user, only the queues of the user's workspace are worked on. */
  scene: Pick<ChainScene, 'upstreams'> & Partial<Pick<ChainScene, 'user'>>;
  serviceNamespace: string;
}

/** Runs the operator's transaction controllers; returns a function that stops them. */
export async function startOutboxOperator(options: OperatorOptions): Promise<() => Promise<void>> {
  const { kube, scene, serviceNamespace } = options;
  const common = { kube, log: silentLog, clock: systemClock };
  const byUid = ({ metadata }: Stored<NetworkResource>) => [metadata.uid];
  const caches = {
    outboxes: createOutboxCache({
      ...common,
      kube: scene.user ? confined(kube, scene.user.namespace) : kube,
    }),
    networks: createReflector({ ...common, type: networkType, indexes: { uid: byUid, ...idIndex } }),
    secrets: createReflector({ ...common, type: secretType }),
    users: createReflector({ ...common, type: userType }),
  };
  for (const cache of Object.values(caches)) cache.start();
  await Promise.all(Object.values(caches).map((cache) => cache.whenSynced()));
  const signer = createSigner(1);
  const deps: OutboxDeps = {
    ...common,
    caches,
    signer,
    serviceNamespace,
    serviceOf: () => ({ address: '', withKey: () => Promise.reject(new Error('no service account')) }),
    rpcOf(uid) {
      const place = scene.upstreams.find(uid);
      return place && createEvmRpc({ url: `http://${place.host}:${place.port}`, timeoutMs: 2000 });
    },
    sealer: sceneSealer,
    installation: { defaultWorkspace: { id: 'default', namespace: 'slipway-default' } },
    metrics: { settled: () => undefined, resent: () => undefined, filled: () => undefined },
  };
  const controller = createOutboxController(deps, { workers: 4 });
  const stop = new AbortController();
  const running = controller.run(stop.signal);
  return async () => {
    stop.abort();
    await running;
    await Promise.all(Object.values(caches).map((cache) => cache.stop()));
    await signer.close();
  };
}
