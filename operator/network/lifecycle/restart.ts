import type { Engine } from '../../../core/api/engines.ts';
import { annotations } from '../../../core/api/names.ts';
import type { Kube } from '../../../core/kube/kube.ts';
import { type Pod, podType } from '../../../core/kube/types.ts';
import { parseRfc3339 } from '../../../core/lib/clock.ts';
import { podStateOf } from '../decide/podState.ts';
import { containerSecurity } from '../render/pods.ts';

export interface RestartRequest {
  /** Number of the maintenance request. */
  number: number;
  /** An engine whose image has a shell; the pod's own image may not have one. */
  engine: Engine;
}

/**
 * The ephemeral container that terminates the engine's process. Its name contains the request's number, so that each
 * request restarts the engine once. The engine saves its state on exit and loads it on start.
 */
const restartName = (number: number): string => `restart-${number}`;

/** What the message says while it is under way. */
export const restarting = 'restarting the engine';

/** How long an engine may take to end after the signal; as long as the kubelet gives it. */
const endingMs = 30_000;
/** How long a pod may take to become ready, or to run the ephemeral container, whose image may have to be pulled. */
const patienceMs = 120_000;

/**
 * Requests a restart of a pod's engine: an ephemeral container that shares its process namespace terminates the
 * process, and the kubelet starts it again on the same volumes. A second call with the same number changes nothing.
 */
export async function askForRestart(
  kube: Kube,
  pod: Pod,
  { number, engine: asker }: RestartRequest,
): Promise<void> {
  const name = restartName(number);
  const [engine] = pod.spec.containers;
  const former = pod.spec.ephemeralContainers ?? [];
  if (!engine || former.some((container) => container.name === name)) return;
  const asking = {
    name,
    image: asker.image,
    imagePullPolicy: asker.pullPolicy,
    targetContainerName: engine.name,
    command: ['/bin/sh', '-c', 'kill -TERM 1'],
    securityContext: containerSecurity,
  };
  const { namespace, name: podName, resourceVersion } = pod.metadata;
  // With the resource version, only one of two concurrent requests succeeds.
  const patch = { metadata: { resourceVersion }, spec: { ephemeralContainers: [...former, asking] } };
  await kube.patch(podType, { namespace, name: podName }, patch, 'ephemeralcontainers');
}

/** What a requested restart does next with each pod. */
export interface RestartPlan {
  /** Whether an engine has not restarted yet. */
  isOpen: boolean;
  /** Ready pods, whose process is to be terminated. */
  ask: Pod[];
  /** Pods whose engine did not end, or cannot start. */
  replace: Pod[];
}

interface Restart {
  number: number;
  sinceMs: number;
  /** Whether the pod's chain is lost if its process fails while it ends; never if absent. */
  losesChain?(pod: Pod): boolean;
}

/** Signals the process first. A pod whose engine is broken, hangs or never becomes ready is replaced. */
export function planRestart(pods: readonly Pod[], restart: Restart, nowMs: number): RestartPlan {
  const open = pods.filter((pod) => !hasRestarted(pod, restart.number) || hasFailed(pod, restart));
  const present = open.filter(({ metadata }) => !metadata.deletionTimestamp);
  const replace = present.filter((pod) => isStuck(pod, restart, nowMs));
  const ask = present.filter((pod) => !replace.includes(pod) && podStateOf(pod).phase === 'ready');
  return { isOpen: open.length > 0, ask, replace };
}

function isStuck(pod: Pod, restart: Restart, nowMs: number): boolean {
  const { number, sinceMs } = restart;
  if (hasFailed(pod, restart)) return true;
  const askedMs = askedAtMs(pod, number);
  if (askedMs !== undefined) {
    const { state, lastState } = engineStatusOf(pod) ?? {};
    // The old process still runs, or it was started again and has failed.
    if (state?.running) return nowMs - askedMs > endingMs;
    return (parseRfc3339((state?.terminated ?? lastState?.terminated)?.startedAt) ?? 0) > askedMs;
  }
  const { phase } = podStateOf(pod);
  return phase === 'failed' || phase === 'unscheduled' || nowMs - sinceMs > patienceMs;
}

/** Whether the restart has taken effect: the engine, or its pod, started after the request. */
function hasRestarted(pod: Pod, number: number): boolean {
  if (countOf(pod, annotations.maintenance) >= number) return true;
  const askedMs = askedAtMs(pod, number);
  const startedMs = parseRfc3339(engineStatusOf(pod)?.state?.running?.startedAt);
  return askedMs !== undefined && startedMs !== undefined && startedMs >= askedMs;
}

/**
 * Whether the process failed while it ended on request, so that it has not saved its chain, as when that takes more memory
 * than it may use. Only a new pod shows that another chain has begun: a requested restart does not count as a loss.
 */
function hasFailed(pod: Pod, { number, losesChain }: Restart): boolean {
  const askedMs = askedAtMs(pod, number);
  const { state, lastState } = engineStatusOf(pod) ?? {};
  const startedMs = parseRfc3339(state?.running?.startedAt);
  if (askedMs === undefined || startedMs === undefined || startedMs < askedMs) return false;
  return losesChain?.(pod) === true && (lastState?.terminated?.exitCode ?? 0) !== 0;
}

/** A counter that a pod has had since its creation; 0 if it has none. */
export function countOf({ metadata }: Pod, annotation: string): number {
  return Number(metadata.annotations?.[annotation] ?? 0);
}

/** When the ephemeral container of this request ended. */
function askedAtMs({ status }: Pod, number: number): number | undefined {
  const asked = status?.ephemeralContainerStatuses?.find(({ name }) => name === restartName(number));
  return parseRfc3339(asked?.state?.terminated?.finishedAt);
}

const engineStatusOf = ({ status }: Pod) => status?.containerStatuses?.[0];

/** The number of restarts of the container that were not requested. */
export function unaskedRestarts(pod: Pod): number {
  const restarts = engineStatusOf(pod)?.restartCount ?? 0;
  const asked = (pod.status?.ephemeralContainerStatuses ?? []).filter(
    ({ name, state }) => name.startsWith('restart-') && state?.terminated?.exitCode === 0,
  );
  return Math.max(0, restarts - asked.length);
}
