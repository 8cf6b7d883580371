import type { Keyring } from '../../core/accounts/keyring.ts';
import { annotations } from '../../core/api/names.ts';
import type { Stored } from '../../core/api/resources/kubeObject.ts';
import type { Reflector } from '../../core/kube/cache/reflector.ts';
import type { Pod } from '../../core/kube/types.ts';
import { authorityOf } from '../../core/lib/authority.ts';
import { parseRfc3339 } from '../../core/lib/clock.ts';
import { type AdoptDeps, type AdoptRequest, createAdopt } from './adopt.ts';
import type { Launch } from './adopted.ts';
import type { Launcher, LauncherAddress, LaunchOutcome, Question } from './launcher.ts';
import { createWarmModels, type ModelDeps } from './models.ts';
import { isWaiting, secretFor } from './waitingPod.ts';

/** What the network controller does with pods that wait for networks. */
export interface WarmEngines {
  /** Gives the network a waiting pod for each missing child, as far as there are any. */
  adopt(wanted: AdoptRequest): Promise<Stored<Pod>[]>;
  /** Hands over the plans, and does not wait for the engines. */
  begin(launches: readonly Launch[]): Promise<void>;
  /** Hands over the plans and waits for the engines' answers. */
  launch(launches: readonly Launch[], question: Question): Promise<LaunchOutcome>;
  /** Empties the pool of the namespace, or every pool, because a network needs the room. Returns whether there were pods. */
  makeRoom(namespace: string | undefined): boolean;
}

export interface WarmDeps extends AdoptDeps, ModelDeps {
  caches: AdoptDeps['caches'] & { pods: Pick<Reflector<Pod>, 'list'> };
  launcher: Launcher;
}

/** An adopted pod whose engine does not answer for this long, once its container runs, is replaced. */
const patienceMs = 60_000;

export function createWarmEngines(deps: WarmDeps): WarmEngines {
  const { caches, pools, launcher, clock, installation } = deps;
  const modelNow = createWarmModels(deps);
  return {
    async adopt(wanted) {
      const model = installation.warmEngines.enabled ? modelNow() : undefined;
      return model ? createAdopt(deps, model)(wanted) : [];
    },
    async begin(launches) {
      await Promise.all(
        launches.map(({ pod, plan }) => {
          const address = addressOf(pod, deps.keys.engines);
          return address && launcher.handOver(address, plan);
        }),
      );
    },
    async launch(launches, question) {
      const outcomes = await Promise.all(launches.map((one) => launchOne(deps, one, question)));
      if (outcomes.includes('refused')) return 'refused';
      return outcomes.every((outcome) => outcome === 'answered') ? 'answered' : 'silent';
    },
    makeRoom(namespace) {
      const all = () => caches.pods.list().filter(isWaiting);
      const waiting = namespace === undefined ? all() : caches.pods.byIndex('waiting', namespace);
      if (waiting.length > 0) pools.pause(namespace, clock.nowMs());
      return waiting.length > 0;
    },
  };
}

async function launchOne(deps: WarmDeps, { pod, plan }: Launch, question: Question): Promise<LaunchOutcome> {
  const { kube, launcher, metrics, pools, clock, log } = deps;
  const address = addressOf(pod, deps.keys.engines);
  const outcome = address ? await launcher.launch(address, plan, question) : 'refused';
  const isLost = outcome === 'silent' && (await kube.serverTimeMs()) - sinceMsOf(pod) > patienceMs;
  if (outcome !== 'refused' && !isLost) return outcome;
  const { namespace = '', name } = pod.metadata;
  log.warn('an adopted pod did not become the engine of its network', { namespace, pod: name, outcome });
  metrics.started('failed');
  // The cause may concern all waiting pods: until it has passed, networks start with pods of their own.
  pools.pause(namespace, clock.nowMs());
  return 'refused';
}

/** Since when the pod should have been the engine: a container may start again long after it was adopted. */
function sinceMsOf({ metadata, status }: Pod): number {
  const adoptedMs = parseRfc3339(metadata.annotations?.[annotations.adopted]) ?? 0;
  const startedMs = parseRfc3339(status?.containerStatuses?.[0]?.state?.running?.startedAt) ?? 0;
  return Math.max(adoptedMs, startedMs);
}

function addressOf(pod: Pod, keys: Keyring): LauncherAddress | undefined {
  const host = pod.status?.podIP;
  const port = pod.spec.containers[0]?.ports?.[0]?.containerPort;
  if (host === undefined || port === undefined) return undefined;
  // Without its key no launcher takes a plan, but an engine that has one already answers.
  return { url: `http://${authorityOf({ host, port })}`, secret: secretFor(pod, keys) ?? '' };
}
