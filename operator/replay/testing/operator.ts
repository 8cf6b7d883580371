import { personalWorkspaceIdOf } from '../../../core/accounts/ids.ts';
import { addressOfLent, lendKey } from '../../../core/accounts/lendKey.ts';
import { openSecret } from '../../../core/accounts/openSecret.ts';
import { idIndex } from '../../../core/api/ids.ts';
import { defaultKeyName, labels } from '../../../core/api/names.ts';
import { networkType, secretType } from '../../../core/api/resources/resources.ts';
import { createEvmRpc } from '../../../core/evm/rpc.ts';
import { createReflector } from '../../../core/kube/cache/reflector.ts';
import type { Kube, KubeObject, Stored } from '../../../core/kube/kube.ts';
import { createOutages } from '../../../core/kube/outages.ts';
import { confined } from '../../../core/kube/testing/confined.ts';
import { type Clock, systemClock } from '../../../core/lib/clock.ts';
import { AppError } from '../../../core/lib/errors.ts';
import { silentLog } from '../../../core/lib/log.ts';
import { createSend } from '../../../core/outbox/send.ts';
import { createSenderQueues } from '../../../core/outbox/senderQueues.ts';
import { type ChainScene, sceneSealer } from '../../../core/outbox/testing/scene.ts';
import { createReplayCache } from '../../../core/replays/cache.ts';
import { createSigner } from '../../../core/signing/signer.ts';
import { createReplayController } from '../controller.ts';
import { createPlaces } from '../nodes.ts';

interface OperatorOptions {
  kube: Kube;
  scene: Pick<ChainScene, 'upstreams' | 'user'>;
  clock?: Clock;
  /** How many seconds a replay waits for a network; 1 by default. */
  holdSeconds?: number;
  /** Counts transactions that were accepted. */
  countTransactions?: (namespace: string, count: number) => void;
}

/** The replay controller of an operator, without leader election; returns a function that stops it. */
export async function startReplayOperator(options: OperatorOptions): Promise<() => Promise<void>> {
  const { scene, clock = systemClock, holdSeconds = 1, countTransactions } = options;
  const { kube, isOutage } = createOutages(options.kube);
  const common = { kube, log: silentLog, clock: systemClock };
  const byUid = ({ metadata }: Stored<KubeObject>) => [metadata.uid];
  const caches = {
    replays: createReplayCache({ ...common, kube: confined(kube, scene.user.namespace) }),
    networks: createReflector({ ...common, type: networkType, indexes: { uid: byUid, ...idIndex } }),
    secrets: createReflector({ ...common, type: secretType }),
  };
  for (const cache of Object.values(caches)) cache.start();
  await Promise.all(Object.values(caches).map((cache) => cache.whenSynced()));
  const signer = createSigner();
  const queues = createSenderQueues({ kube, signer, clock });
  const controller = createReplayController(
    {
      kube,
      isOutage,
      clock,
      log: silentLog,
      caches,
      queues,
      send: createSend({ queues, clock, log: silentLog }),
      storage: { take: () => ({ stored: () => undefined, giveBack: () => undefined }) },
      serverTimeMs: kube.serverTimeMs,
      countTransactions,
      ownerOf({ metadata }) {
        // As `createSigners`: that of an object without an owner is the first owner of the workspace.
        const user = metadata.labels?.[labels.owner] ?? scene.user.userId;
        const namespace = `slipway-${personalWorkspaceIdOf(user)}`;
        const secret = caches.secrets.get({ namespace, name: defaultKeyName });
        if (!secret) throw new AppError('BadRequest', 'the owner has no default key');
        const read = () => openSecret(sceneSealer, secret);
        return { user, address: addressOfLent(read), withKey: lendKey(read) };
      },
      placeOf: createPlaces({
        networks: caches.networks,
        rpcOf(uid) {
          const place = scene.upstreams.find(uid);
          return place && createEvmRpc({ url: `http://${place.host}:${place.port}`, timeoutMs: 5000 });
        },
        touch: () => undefined,
        holdSeconds,
      }),
    },
    { workers: 4 },
  );
  const stopping = new AbortController();
  const running = controller.run(stopping.signal);
  return async () => {
    stopping.abort();
    await running;
    await Promise.all(Object.values(caches).map((cache) => cache.stop()));
    await signer.close();
  };
}
