import type { WarmSettings } from '../../core/api/installation.ts';
import type { Stored } from '../../core/api/resources/kubeObject.ts';
import type { Pod } from '../../core/kube/types.ts';
import { podStateOf } from '../network/decide/podState.ts';

/** Counted from the last start, so that a starting network has the processor to itself. */
const settleMs = 2_000;

interface PoolFacts {
  settings: WarmSettings;
  isDefaultWorkspace: boolean;
  /** When networks started here, in order. */
  uses: readonly number[];
  pausedUntilMs: number;
  nowMs: number;
  /** Pods that wait and are not terminating. */
  pods: readonly Stored<Pod>[];
  isCurrent(pod: Pod): boolean;
}

export interface PoolPlan {
  create: number;
  remove: Stored<Pod>[];
  /** When the plan can change without an event. */
  nextMs?: number | undefined;
}

/** The changes that give a pool its size: pods of a former image or shape are deleted first. */
export function planPool(facts: PoolFacts): PoolPlan {
  const { nowMs, pods, pausedUntilMs, uses, settings } = facts;
  const size = sizeOf(facts);
  const [useful, useless] = [
    pods.filter((pod) => isUseful(facts, pod)),
    pods.filter((pod) => !isUseful(facts, pod)),
  ];
  const surplus = useful.toSorted(readyFirst).slice(size);
  const missing = Math.max(0, size - useful.length);
  const settledMs = (uses.at(-1) ?? Number.NEGATIVE_INFINITY) + settleMs;
  const isSettled = nowMs >= settledMs;
  const recentMs = settings.recentSeconds * 1_000;
  const changes = [
    ...uses.map((atMs) => atMs + recentMs),
    pausedUntilMs,
    ...(missing > 0 ? [settledMs] : []),
  ].filter((atMs) => atMs > nowMs);
  return {
    create: isSettled ? missing : 0,
    remove: [...useless, ...surplus],
    nextMs: changes.length === 0 ? undefined : Math.min(...changes) - nowMs,
  };
}

/** Nothing waits in workspaces that are not used. */
function sizeOf({ settings, isDefaultWorkspace, uses, pausedUntilMs, nowMs }: PoolFacts): number {
  const { enabled, min, max, defaultWorkspace, recentSeconds } = settings;
  if (!enabled || pausedUntilMs > nowMs) return 0;
  const least = isDefaultWorkspace ? Math.max(min, defaultWorkspace) : min;
  const recent = uses.filter((atMs) => atMs + recentSeconds * 1_000 > nowMs).length;
  return Math.max(least, Math.min(max, recent));
}

function isUseful({ isCurrent }: PoolFacts, pod: Stored<Pod>): boolean {
  return isCurrent(pod) && podStateOf(pod).phase !== 'dead';
}

function readyFirst(one: Pod, other: Pod): number {
  return Number(podStateOf(other).phase === 'ready') - Number(podStateOf(one).phase === 'ready');
}
