import type { ContainerStatus, Pod } from '../../../core/kube/types.ts';

/** The state of an engine pod. `failed` needs a fix by somebody; the other phases may pass on their own. */
export interface PodState {
  phase: 'absent' | 'unscheduled' | 'starting' | 'ready' | 'failed' | 'ending' | 'dead';
  message: string;
}

/** The reason in a network's Ready condition. */
export const reasonOfPhase: Record<PodState['phase'], string> = {
  absent: 'Provisioning',
  ending: 'Provisioning',
  dead: 'EngineLost',
  unscheduled: 'Unschedulable',
  failed: 'EngineFailed',
  starting: 'Provisioning',
  ready: 'Operational',
};

/** Waiting reasons of the kubelet that need a fix (source: kubernetes, pkg/kubelet/images and kuberuntime). */
const imageProblems = new Set([
  'ErrImagePull',
  'ImagePullBackOff',
  'ErrImageNeverPull',
  'InvalidImageName',
  'ImageInspectError',
]);
const containerProblems = new Set([
  'CreateContainerConfigError',
  'CreateContainerError',
  'RunContainerError',
]);

/** Reads the state of a pod from its status. */
export function podStateOf(pod: Pod | undefined): PodState {
  if (!pod) return { phase: 'absent', message: 'the pod does not exist yet' };
  if (pod.metadata.deletionTimestamp) return { phase: 'ending', message: 'the previous pod is terminating' };
  const { phase, reason, message, conditions = [] } = pod.status ?? {};
  if (phase === 'Failed' || phase === 'Succeeded') {
    return {
      phase: 'dead',
      message: `the pod has terminated (${reason ?? phase}): ${message ?? 'no reason given'}`,
    };
  }
  if (conditions.some(({ type, status }) => type === 'Ready' && status === 'True')) {
    return { phase: 'ready', message: 'the engine is ready' };
  }
  const scheduled = conditions.find(({ type }) => type === 'PodScheduled');
  if (scheduled?.status === 'False') {
    return {
      phase: 'unscheduled',
      message: `the pod cannot be scheduled: ${scheduled.message ?? 'no reason given'}`,
    };
  }
  return containerStateOf(pod);
}

/** The state for a container whose image cannot be pulled; undefined if there is none. */
export function imageProblemOf(pod: Pod): PodState | undefined {
  const found = containersOf(pod).find(({ state }) => imageProblems.has(state?.waiting?.reason ?? ''));
  if (!found) return undefined;
  const { name, state } = found;
  const { containers, initContainers = [] } = pod.spec;
  const image = [...initContainers, ...containers].find((container) => container.name === name)?.image ?? '';
  const { reason, message = 'no reason given' } = state?.waiting ?? {};
  return {
    phase: 'failed',
    message: `image ${image} cannot be pulled (${reason}): ${message}. Check the engine's image in the chart values`,
  };
}

/** In the order in which they run. */
function containersOf({ status }: Pod): ContainerStatus[] {
  return [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
}

function containerStateOf(pod: Pod): PodState {
  // An init container is done once it has exited with code 0.
  const open = containersOf(pod).filter((container) => !isDone(pod, container));
  const failure = imageProblemOf(pod) ?? open.map(failureOf).find((state) => state !== undefined);
  if (failure) return failure;
  return {
    phase: 'starting',
    message: pod.status?.containerStatuses?.[0]?.state?.running
      ? 'the engine has started but is not ready yet'
      : 'the container is being created',
  };
}

function isDone({ status }: Pod, { name, state }: ContainerStatus): boolean {
  return (
    state?.terminated?.exitCode === 0 &&
    (status?.initContainerStatuses ?? []).some((init) => init.name === name)
  );
}

function failureOf({ state, lastState }: ContainerStatus): PodState | undefined {
  const { reason = '', message = 'no reason given' } = state?.waiting ?? {};
  if (containerProblems.has(reason)) {
    return { phase: 'failed', message: `the engine cannot start (${reason}): ${message}` };
  }
  const ended = state?.terminated ?? lastState?.terminated;
  if (!ended || (reason !== 'CrashLoopBackOff' && !state?.terminated)) return undefined;
  // An engine that exits cleanly, as in a requested restart, has not failed.
  if (reason !== 'CrashLoopBackOff' && ended.exitCode === 0) return undefined;
  return { phase: 'failed', message: `the engine exited with code ${ended.exitCode}${exitText(ended)}` };
}

/** The end of the engine's output, in one line of at most 600 characters. */
function exitText(ended: { message?: string; reason?: string }): string {
  const output = (ended.message ?? '').trim().replace(/\s+/g, ' ').slice(-600);
  return output === '' ? ` (${ended.reason ?? 'no reason given'})` : `: ${output}`;
}

const byProgress: PodState['phase'][] = [
  'failed',
  'dead',
  'ending',
  'absent',
  'unscheduled',
  'starting',
  'ready',
];

/** The state of the pod that has progressed least; undefined stands for a missing pod. */
export function weakestOf(pods: readonly (Pod | undefined)[], forkSource: string | undefined): PodState {
  const [weakest] = pods
    .map((pod) => withoutForkSource(podStateOf(pod), forkSource))
    .sort((one, other) => byProgress.indexOf(one.phase) - byProgress.indexOf(other.phase));
  return weakest ?? { phase: 'absent', message: 'nothing to run' };
}

/** Removes the fork source's URL from a pod's state: engines print it before they exit, and it may contain a key. */
export function withoutForkSource(state: PodState, forkSource: string | undefined): PodState {
  if (forkSource === undefined) return state;
  let { message } = state;
  for (const secret of secretsOf(forkSource)) message = message.replaceAll(secret, '[fork source]');
  return { ...state, message };
}

const shortestPart = 6;

/** The URL as configured, and its parts that may contain keys, because programs also print those on their own. */
function secretsOf(forkSource: string): string[] {
  if (!URL.canParse(forkSource)) return [forkSource];
  const { href, pathname, search, username, password } = new URL(forkSource);
  const parts = [`${pathname}${search}`, pathname, search.slice(1), username, password];
  return [forkSource, href, ...parts.filter((part) => part.length >= shortestPart)];
}
