import type { ContainerStatus, Pod } from '../../../core/kube/types.ts';
import { cut, cutMark } from '../../../core/lib/text/foreignText.ts';
import { withoutUrl } from '../../../core/lib/text/withoutTexts.ts';
import { dataVolume } from '../render/childNames.ts';

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
  const isReady = conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
  // The condition may be older than the end of a container.
  if (isReady && !containersOf(pod).some((container) => hasEnded(pod, container))) {
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

/** Whether the data of a pod is lost with it. */
export function hasDataInPod({ spec: { volumes = [] } }: Pod): boolean {
  return volumes.some(({ name, emptyDir }) => name === dataVolume && emptyDir !== undefined);
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
  return { phase: 'starting', message: startOf(pod) };
}

/** What is under way in a pod whose containers have no problem. */
function startOf(pod: Pod): string {
  const ended = lastExitOf(pod);
  if (ended) return `${ended}; it is starting again`;
  return pod.status?.containerStatuses?.[0]?.state?.running
    ? 'the engine has started but is not ready yet'
    : 'the container is being created';
}

/** How the first of some engines last ended that did not end cleanly, as a clause without the URL of its fork. */
export function exitOf(pods: readonly Pod[], forkSource: string | undefined): string | undefined {
  const exit = pods.map(lastExitOf).find((text) => text !== undefined);
  return exit === undefined ? undefined : withoutForkUrl(exit, forkSource);
}

/** How the engine last ended, as a clause; undefined if it never ended, or ended cleanly. */
function lastExitOf({ status }: Pod): string | undefined {
  const [engine] = status?.containerStatuses ?? [];
  const ended = engine?.state?.terminated ?? engine?.lastState?.terminated;
  return ended && ended.exitCode !== 0 ? describeExit(ended) : undefined;
}

function isDone({ status }: Pod, { name, state }: ContainerStatus): boolean {
  return (
    state?.terminated?.exitCode === 0 &&
    (status?.initContainerStatuses ?? []).some((init) => init.name === name)
  );
}

function hasEnded(pod: Pod, container: ContainerStatus): boolean {
  return container.state?.terminated !== undefined && !isDone(pod, container);
}

/** An engine that has just exited is started again at once; it has failed when the kubelet delays that. */
function failureOf({ state, lastState }: ContainerStatus): PodState | undefined {
  const { reason = '', message = 'no reason given' } = state?.waiting ?? {};
  if (containerProblems.has(reason)) {
    return { phase: 'failed', message: `the engine cannot start (${reason}): ${message}` };
  }
  const ended = state?.terminated ?? lastState?.terminated;
  if (!ended || reason !== 'CrashLoopBackOff') return undefined;
  return { phase: 'failed', message: `${describeExit(ended)}; the kubelet starts it again after a pause` };
}

type Exit = NonNullable<NonNullable<ContainerStatus['state']>['terminated']>;

/** Exit codes above this one name the signal that ended the process. */
const signalBase = 128;
const signals: Record<number, string> = {
  2: 'SIGINT',
  6: 'SIGABRT',
  9: 'SIGKILL',
  11: 'SIGSEGV',
  15: 'SIGTERM',
};

/** What the liveness check of an engine leaves as the message of its container begins with it (engines/evm-dev/alive.sh). */
const silence = 'liveness: ';

/** One clause; the engine's whole output is in its log. */
function describeExit({ exitCode, reason, message }: Exit): string {
  if (reason === 'OOMKilled') return 'the engine used more memory than its limit and was killed';
  if (message?.startsWith(silence)) return 'the engine did not answer for three minutes and was ended';
  const signal = signals[exitCode - signalBase];
  if (signal) return `the engine was terminated by ${signal}`;
  const cause = errorIn(message ?? '');
  return `the engine exited with code ${exitCode}${cause === '' ? '' : `: ${cause}`}`;
}

const errorLine = /\b(error|fatal|panic|panicked|failed|cannot|crit)/i;
const maxCause = 300;

/**
 * The kubelet keeps the last 2,048 bytes of what a container has printed, and in pods with more than six containers less of
 * each (source: kubernetes, pkg/kubelet/container/runtime.go). What is as long as this may begin in the middle of a secret.
 */
const maybeCutBytes = 1024;

/** Without the first line, which may have lost its beginning; if there is no other one, with the mark of a cut before it. */
function afterCut(output: string): string {
  if (Buffer.byteLength(output) < maybeCutBytes) return output;
  const end = output.trimEnd().indexOf('\n');
  return end === -1 ? `${cutMark}${output}` : output.slice(end + 1);
}

/** From the last line that looks like an error on; the last line if none does. */
function errorIn(output: string): string {
  const lines = cut(afterCut(output))
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  const at = lines.findLastIndex((line) => errorLine.test(line));
  return cut(lines.slice(at === -1 ? -1 : at).join(' '), maxCause);
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

/** Removes the URL of its fork from a pod's state. */
export function withoutForkSource(state: PodState, forkSource: string | undefined): PodState {
  return forkSource === undefined ? state : { ...state, message: withoutForkUrl(state.message, forkSource) };
}

/** Engines print the URL of their fork before they exit, and it contains a token. */
function withoutForkUrl(message: string, forkSource: string | undefined): string {
  return forkSource === undefined ? message : withoutUrl(message, forkSource);
}
