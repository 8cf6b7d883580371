import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRpcGateway } from '../../../../apiserver/gateway/gateway.ts';
import { gatewayMetricTable } from '../../../../apiserver/gateway/metrics.ts';
import { createNetworkLookup } from '../../../../apiserver/gateway/wake/networks.ts';
import { noBudgetMetrics } from '../../../../apiserver/http/limits/budgetMetrics.ts';
import { createCacheReflector } from '../../../../apiserver/store/cache.ts';
import { startTestApi, type TestApi } from '../../../../apiserver/testing/harness.ts';
import { accessKeyOf } from '../../../../core/accounts/accessKeys.ts';
import { keyOf } from '../../../../core/accounts/keyring.ts';
import { aKeyring } from '../../../../core/accounts/testing/keyrings.ts';
import { networkType } from '../../../../core/api/resources/resources.ts';
import type { Kube } from '../../../../core/kube/kube.ts';
import { systemClock } from '../../../../core/lib/clock.ts';
import { silentLog } from '../../../../core/lib/log.ts';
import { createMetrics } from '../../../../core/lib/metrics.ts';
import { type ChainScene, createChainScene, sceneSealer } from '../../../../core/outbox/testing/scene.ts';
import { type RunningCompilers, startCompilers } from '../../compilers/testing/compilers.ts';
import { createVerification } from '../service.ts';

/** The gateway with the verification, compilers and REST, over a fake or a real Kube and chains of its own. */
export interface VerifyWorld {
  scene: ChainScene;
  compilers: RunningCompilers;
  api: TestApi;
  /** The URL of a service of a network, with its public access key. */
  urlOf(id: string, service: string): string;
  close(): Promise<void>;
}

const accessKeys = aKeyring('access key');

interface WorldOptions {
  maxContracts?: number;
  maxMiB?: number;
  /** false: the installation has no compilers. */
  hasCompilers?: boolean;
}

export async function startVerifyWorld(kube: Kube, options: WorldOptions = {}): Promise<VerifyWorld> {
  const { maxContracts = 500, maxMiB = 64, hasCompilers = true } = options;
  const scene = await createChainScene(kube);
  const compilers = await startCompilers();
  const api = await startTestApi({
    kube,
    users: [scene.user],
    upstreams: scene.upstreams,
    sealer: sceneSealer,
  });
  const parts = { log: silentLog, clock: systemClock };
  const cache = createCacheReflector({ kube, ...parts, type: networkType });
  cache.start();
  await cache.whenSynced();
  const verification = createVerification({
    kube,
    ...parts,
    budgets: noBudgetMetrics,
    shares: { of: (namespace) => namespace },
    caches: { networks: cache },
    compilers: { url: hasCompilers ? compilers.url : '', maxContracts, maxMiB },
  });
  const gateway = createRpcGateway({
    accessKeys,
    ...parts,
    ownServices: new Map([['verify', verification.answer]]),
    upstreams: scene.upstreams,
    networks: createNetworkLookup(cache, accessKeys),
    wake: () => undefined,
    activity: () => undefined,
    settings: { holdSeconds: 5, maxBodyBytes: 5 * 1024 * 1024 },
    metrics: createMetrics([gatewayMetricTable]),
  });
  const server = createServer(gateway.handle).on('upgrade', gateway.handleUpgrade);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    scene,
    compilers,
    api,
    urlOf(id, service) {
      const scope = { id, namespace: scene.user.namespace };
      const key = accessKeyOf(keyOf(accessKeys, 'k1'), { scope, access: 'public', epoch: 0 });
      return `http://127.0.0.1:${port}/rpc/${id}/${key}/${service}`;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await Promise.all([
        gateway.close(),
        verification.close(),
        compilers.close(),
        api.close(),
        cache.stop(),
      ]);
      await scene.stop();
    },
  };
}
