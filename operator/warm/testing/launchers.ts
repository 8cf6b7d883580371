import type { Keyring } from '../../../core/accounts/keyring.ts';
import type { Stored } from '../../../core/api/resources/kubeObject.ts';
import type { Kube } from '../../../core/kube/kube.ts';
import { type Namespace, namespaceType, type Pod, podType } from '../../../core/kube/types.ts';
import { createMetrics } from '../../../core/lib/metrics.ts';
import type { NetworkDeps } from '../../network/deps.ts';
import { anInstallation, someEngines } from '../../network/testing/facts.ts';
import type { Launcher, LaunchOutcome } from '../launcher.ts';
import { createWarmMetrics, warmMetricTable } from '../metrics.ts';
import { type WarmModel, warmModelOf } from '../models.ts';
import { createPools, type Pools } from '../pools.ts';
import type { LaunchPlan } from '../shape.ts';
import { renderWaitingPod } from '../waitingPod.ts';
import { createWarmEngines, type WarmEngines } from '../warmEngines.ts';

/** The launchers of all pods of a test, without processes. As the real one, each takes one plan. */
export interface Launchers extends Launcher {
  /** The plan of each pod that has one, by the pod's secret. */
  plans: Map<string, LaunchPlan>;
  /** How often engines were launched, and asked. */
  launches: number;
  /** What the next launches come to; `answered` by default. */
  outcome: LaunchOutcome;
}

export function createLaunchers(): Launchers {
  const launchers: Launchers = {
    plans: new Map(),
    launches: 0,
    outcome: 'answered',
    async handOver({ secret }, plan) {
      if (launchers.outcome === 'refused') return 'refused';
      if (!launchers.plans.has(secret)) launchers.plans.set(secret, plan);
      return 'open';
    },
    async launch(address, plan) {
      launchers.launches += 1;
      await launchers.handOver(address, plan);
      return launchers.outcome;
    },
  };
  return launchers;
}

/** The waiting pods of an operator under test. */
export function createTestWarmth(
  { kube, caches, installation, engines, keys, clock, log }: NetworkDeps,
  launcher: Launcher,
  pools: Pools = createPools(),
): WarmEngines {
  const metrics = createWarmMetrics(createMetrics([warmMetricTable]));
  return createWarmEngines({
    kube,
    caches,
    installation,
    engines,
    keys,
    clock,
    log,
    launcher,
    pools,
    metrics,
  });
}

export function modelForTests(set = someEngines()): WarmModel {
  const model = warmModelOf(anInstallation(), set);
  if (!model) throw new Error('no model');
  return model;
}

interface WaitingPod {
  namespace: string;
  name: string;
  model: WarmModel;
  keys: Keyring;
}

/** Creates a waiting pod as the pool does. */
export async function createWaitingPod(
  kube: Kube,
  { namespace, name, model, keys }: WaitingPod,
): Promise<Stored<Pod>> {
  const owner = await namespaceOf(kube, namespace);
  return kube.create(podType, renderWaitingPod({ model, name, owner, keys }));
}

async function namespaceOf(kube: Kube, name: string): Promise<Stored<Namespace>> {
  const found = await kube.get(namespaceType, { name });
  return found ?? kube.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
}
