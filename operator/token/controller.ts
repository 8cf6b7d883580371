import type { DeploymentStatus, TokenResource } from '../../core/api/resources/tokenResource.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { compact } from '../../core/lib/compact.ts';
import { hasWakeValue, requestWake } from '../../core/networks/wake.ts';
import { type Controller, type ControllerMetrics, createController } from '../runtime/controller.ts';
import { createWorkQueue, type QueueMetrics } from '../runtime/queue.ts';
import { isOpen, isUnverified, judge } from './deploymentState.ts';
import type { TokenDeps } from './deps.ts';
import { runToken } from './run.ts';
import { createStatusWriter } from './statusWriter.ts';

interface ControllerSettings {
  workers: number;
  metrics?: (controller: string) => QueueMetrics & ControllerMetrics;
}

/** Tokens that are deployed at the same time. Nearly all of it is waiting for nodes, and some never answer. */
const runWorkers = 64;
const longestRetryMs = 30_000;
/** What failed for good may still come right by somebody else's doing, such as funds: less and less often. */
const failedMs = 30_000;
const longestFailedMs = 600_000;

/**
 * The controller of tokens, for one term of leadership. One queue keeps the status true, from caches alone; the other
 * takes the steps on the chains.
 */
export function createTokenController(deps: TokenDeps, settings: ControllerSettings): Controller {
  const { clock, log, caches } = deps;
  const commonOf = (name: string) => {
    const metrics = settings.metrics?.(name);
    return { clock, log, name, ...compact({ metrics }) };
  };
  const tokens = createWorkQueue(commonOf('token'));
  const runs = createWorkQueue({ ...commonOf('deploy'), maxDelayMs: longestRetryMs });
  const tell = createStatusWriter(deps);
  const failures = new Map<string, number>();
  /** Runs under way, with the deployments that each knows of. */
  const underWay = new Map<string, { known: string; stop(): void }>();
  const find = (uid: string) => caches.tokens.byIndex('uid', uid)[0];

  async function observe(uid: string) {
    await tell(uid, (before, token) =>
      token.spec.deployments.map((entry) => {
        const network = caches.networks.get({
          namespace: token.metadata.namespace,
          name: entry.network,
        });
        const former = before.find((one) => one.network === entry.network);
        return judge({ entry, before: former, network });
      }),
    );
    const token = find(uid);
    if (!token) {
      failures.delete(uid);
      return { state: 'Gone' };
    }
    await wakeNetworks(deps, token);
    const run = underWay.get(uid);
    // What is asked for meanwhile does not wait for a network that does not answer.
    if (run && run.known !== knownBy(token)) run.stop();
    if (needsRun(deps, token)) runs.add(uid);
    return { state: token.status?.deployed };
  }

  async function run(uid: string, signal: AbortSignal) {
    const token = find(uid);
    if (!token || !needsRun(deps, token)) return {};
    const stopping = new AbortController();
    underWay.set(uid, { known: knownBy(token), stop: () => stopping.abort() });
    try {
      const either = AbortSignal.any([signal, stopping.signal]);
      const { hasFailed } = await runToken(token, { deps, tell, signal: either });
      const count = hasFailed ? (failures.get(uid) ?? 0) : -1;
      failures.set(uid, count + 1);
      if (!hasFailed) failures.delete(uid);
      return hasFailed ? { requeueAfterMs: Math.min(longestFailedMs, failedMs * 2 ** count) } : {};
    } catch (error) {
      if (!stopping.signal.aborted) throw error;
      return { requeueAfterMs: 0 };
    } finally {
      underWay.delete(uid);
    }
  }

  const controllers = [
    createController({ ...commonOf('token'), queue: tokens, reconcile: observe, workers: settings.workers }),
    createController({ ...commonOf('deploy'), queue: runs, reconcile: run, workers: runWorkers }),
  ];
  return {
    name: 'token',
    async run(signal) {
      const stops = [
        caches.tokens.onChange(({ object }) => tokens.add(object.metadata.uid)),
        caches.networks.onChange(({ object: { metadata } }) => {
          const users = caches.tokens.byIndex('network', `${metadata.namespace}/${metadata.name}`);
          for (const token of users) tokens.add(token.metadata.uid);
        }),
      ];
      for (const token of caches.tokens.list()) tokens.add(token.metadata.uid);
      await Promise.all(controllers.map((controller) => controller.run(signal)));
      for (const stop of stops) stop();
    },
  };
}

/** Which deployments of a token a run would work on. */
function knownBy({ status }: Stored<TokenResource>): string {
  const begun = (status?.deployments ?? []).filter(({ state }) => state !== 'Pending' && state !== 'Lost');
  return begun.map(({ network, attempt, observedNonce }) => `${network}/${attempt}/${observedNonce}`).join();
}

function needsRun({ caches }: TokenDeps, { metadata, status }: Stored<TokenResource>): boolean {
  const networkOf = ({ network }: DeploymentStatus) =>
    caches.networks.get({ namespace: metadata.namespace, name: network });
  return (status?.deployments ?? []).some(
    (one) => isOpen(one) || (one.state === 'Deployed' && isUnverified(one, networkOf(one))),
  );
}

/** A deployment is use of a network: one that is stopped is woken, once for each time that it is asked for. */
async function wakeNetworks(
  { kube, caches }: TokenDeps,
  { metadata, status }: Stored<TokenResource>,
): Promise<void> {
  const { namespace, uid } = metadata;
  for (const { network: name, state, observedNonce = 0 } of status?.deployments ?? []) {
    const network = caches.networks.get({ namespace, name });
    if (state !== 'Pending' || network?.status?.state !== 'Stopped') continue;
    const wake = `${uid}/${observedNonce}`;
    if (!hasWakeValue(network, wake)) await requestWake(kube, network.metadata, wake);
  }
}
