import type { NetworkResource, NetworkSpec } from '../../../core/api/resources/network.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import type { Pod, PodStatus } from '../../../core/kube/types.ts';
import { toRfc3339 } from '../../../core/lib/clock.ts';
import { decide } from '../decide/decide.ts';
import type { Decision, NetworkFacts } from '../decide/facts.ts';
import { eventsOf, type NetworkEvent } from '../status/events.ts';
import { aNetwork, factsOf, nowMs } from './facts.ts';

/** A network whose decisions are carried out on simulated pods. */
export interface World {
  network: Stored<NetworkResource>;
  pods: Pod[];
  nowMs: number;
  events: NetworkEvent[];
  /** Methods that the engine was called with to take over values. */
  calls: string[];
  /** Further facts for each decision. */
  facts: Partial<NetworkFacts>;
  /** The status of the next pods. */
  boot(at: string): PodStatus;
  /** Whether the engine ends when it is asked to. */
  isHung: boolean;
  change(spec: Partial<NetworkSpec>): void;
  request(action: 'Restart' | 'ResetState' | 'Resync', nonce: number): void;
  /** One decision, without carrying it out. */
  decide(): Decision;
  /** Carries out decisions until nothing changes. Calls `watch` after each. */
  settle(watch?: () => void): void;
  /** The status of the only pod. */
  setStatus(status: PodStatus): void;
}

const ready = (at: string, restartCount = 0): PodStatus => ({
  phase: 'Running',
  conditions: [{ type: 'Ready', status: 'True' }],
  containerStatuses: [{ name: 'rpc', ready: true, restartCount, state: { running: { startedAt: at } } }],
});

const maxTurns = 100;
const turnMs = 5_000;

export function createWorld(chain: object = {}, spec: Partial<NetworkSpec> = {}): World {
  const network = aNetwork({ chainID: '777', ...chain });
  let made = 0;
  const nextUid = () => {
    made += 1;
    return `p-${made}`;
  };
  const world: World = {
    network: { ...network, spec: { ...network.spec, ...spec } },
    pods: [],
    nowMs,
    events: [],
    calls: [],
    facts: {},
    isHung: false,
    boot: ready,
    change(change) {
      const { metadata, spec: before } = world.network;
      const generation = (metadata.generation ?? 0) + 1;
      world.network = {
        ...world.network,
        metadata: { ...metadata, generation },
        spec: { ...before, ...change },
      };
    },
    request: (action, nonce) => world.change({ maintenanceRequest: { action, nonce } }),
    decide: () => decideNow(world, world.facts),
    settle(watch = () => undefined) {
      for (let turn = 0; turn < maxTurns; turn += 1) {
        const before = JSON.stringify([world.network, world.pods]);
        carryOut(world, world.decide(), nextUid);
        watch();
        const isStill = JSON.stringify([world.network, world.pods]) === before;
        if (isStill && world.network.status?.state !== 'Pending') return;
        world.nowMs += turnMs;
      }
    },
    setStatus(status) {
      world.pods = world.pods.map((pod) => ({ ...pod, status }));
    },
  };
  return world;
}

/** The same once its engine is ready. */
export function runningWorld(...args: Parameters<typeof createWorld>): World {
  const world = createWorld(...args);
  world.settle();
  expect(world.network.status?.state).toBe('Operational');
  return world;
}

function decideNow(world: World, facts: Partial<NetworkFacts>): Decision {
  return decide(factsOf(world.network, { nowMs: world.nowMs, pods: world.pods, ...facts }));
}

function carryOut(world: World, first: Decision, nextUid: () => string): void {
  world.calls.push(...(first.asks?.adjust ?? []).map(({ method }) => method));
  const decision = first.asks?.adjust
    ? decideNow(world, { ...world.facts, answers: { ...world.facts.answers, adjust: true } })
    : first;
  world.events.push(...eventsOf(world.network, decision.status));
  world.network = { ...world.network, status: decision.status };
  const replaced = new Set(decision.replace);
  const kept = world.pods
    .filter((pod) => !replaced.has(pod) && !pod.metadata.deletionTimestamp)
    .map((pod) => (decision.restart?.pods.includes(pod) ? restarted(world, pod, decision) : pod));
  world.pods = decision.children ? desiredPods(world, decision.children as Pod[], { kept, nextUid }) : kept;
}

function desiredPods(
  world: World,
  children: Pod[],
  { kept, nextUid }: { kept: Pod[]; nextUid: () => string },
): Pod[] {
  return children
    .filter(({ kind }) => kind === 'Pod')
    .map((wanted) => {
      const pod = kept.find(({ metadata }) => metadata.name === wanted.metadata.name);
      if (pod) return pod;
      const metadata = { ...wanted.metadata, uid: nextUid() };
      return { ...wanted, metadata, status: world.boot(toRfc3339(world.nowMs)) };
    });
}

function restarted(world: World, pod: Pod, { restart }: Decision): Pod {
  const name = `restart-${restart?.number}`;
  const { status = {} } = pod;
  const former = status.ephemeralContainerStatuses ?? [];
  if (former.some((container) => container.name === name)) return pod;
  const at = toRfc3339(world.nowMs);
  const ended = { terminated: { exitCode: 0, finishedAt: at } };
  const asked = [...former, { name, ready: false, restartCount: 0, state: ended }];
  const count = status.containerStatuses?.[0]?.restartCount ?? 0;
  const next = world.isHung ? status : { ...status, ...ready(at, count + 1) };
  return { ...pod, status: { ...next, ephemeralContainerStatuses: asked } };
}

/** A text that changes whenever the engine starts again. */
export function processOf({ pods }: World): string {
  return pods
    .map(({ metadata, status }) => `${metadata.uid}/${status?.containerStatuses?.[0]?.restartCount}`)
    .join();
}
