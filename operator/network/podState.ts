import type { Pod } from '../../core/kube/types.ts';

/** How far an engine pod is. `failed` needs a change by someone; the others may pass by themselves. */
export interface PodState {
  phase: 'absent' | 'unscheduled' | 'starting' | 'ready' | 'failed' | 'ending' | 'dead';
  message: string;
}

/** Waiting reasons of the kubelet that do not pass by themselves (source: kubernetes, pkg/kubelet/images and kuberuntime). */
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
  if (!pod) return { phase: 'absent', message: 'the pod is not there yet' };
  if (pod.metadata.deletionTimestamp) return { phase: 'ending', message: 'the former pod is ending' };
  const { phase, reason, message, conditions = [] } = pod.status ?? {};
  if (phase === 'Failed' || phase === 'Succeeded') {
    return {
      phase: 'dead',
      message: `the pod has ended (${reason ?? phase}): ${message ?? 'no reason given'}`,
    };
  }
  if (conditions.some(({ type, status }) => type === 'Ready' && status === 'True')) {
    return { phase: 'ready', message: 'the engine answers' };
  }
  const scheduled = conditions.find(({ type }) => type === 'PodScheduled');
  if (scheduled?.status === 'False') {
    return { phase: 'unscheduled', message: `no node has room: ${scheduled.message ?? 'no reason given'}` };
  }
  return containerStateOf(pod);
}

function containerStateOf(pod: Pod): PodState {
  const container = pod.status?.containerStatuses?.[0];
  const waiting = container?.state?.waiting;
  const image = pod.spec.containers[0]?.image ?? '';
  const problem = waiting?.reason ?? '';
  if (imageProblems.has(problem)) {
    return {
      phase: 'failed',
      message: `image ${image} cannot be pulled (${problem}): ${waiting?.message ?? 'no reason given'}. Check the engine's image in the chart values`,
    };
  }
  if (containerProblems.has(problem)) {
    return {
      phase: 'failed',
      message: `the engine cannot be started (${problem}): ${waiting?.message ?? 'no reason given'}`,
    };
  }
  const ended = container?.state?.terminated ?? container?.lastState?.terminated;
  if (ended && (problem === 'CrashLoopBackOff' || container?.state?.terminated)) {
    return { phase: 'failed', message: `the engine exited with code ${ended.exitCode}${exitText(ended)}` };
  }
  return {
    phase: 'starting',
    message: container?.state?.running
      ? 'the engine has started and does not answer yet'
      : 'the container is being created',
  };
}

/** The engine's last words, in one line of at most 600 characters. */
function exitText(ended: { message?: string; reason?: string }): string {
  const words = (ended.message ?? '').trim().replace(/\s+/g, ' ').slice(-600);
  return words === '' ? ` (${ended.reason ?? 'no reason given'})` : `: ${words}`;
}
