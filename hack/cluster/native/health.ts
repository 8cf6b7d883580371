import { answersOk } from '../../lib/http.ts';
import { isAlive } from '../../lib/processes.ts';
import { waitUntil } from '../../lib/wait.ts';
import type { Kubectl } from '../kubectl.ts';
import { isContainerdReady } from './containers.ts';
import { resumeServices } from './runit.ts';
import { API_PORT, layout, NODE_ADDRESS, NODE_NAME } from './setup/layout.ts';
import type { NodeState } from './state.ts';

const START_LIMIT_MS = 120_000;
/** A process that was killed a moment ago is back within this time, on a busy machine too: a node given up loses its data. */
const RECOVERY_LIMIT_MS = 60_000;

/** True for a node whose supervisor lives and whose API, container engine and kubelet answer, now or in a moment. */
export async function isHealthy(state: NodeState, kubectl: Kubectl): Promise<boolean> {
  if (!state.isReady || !state.supervisor || !isAlive(state.supervisor)) return false;
  await resumeServices();
  try {
    await Promise.all([waitForApi(RECOVERY_LIMIT_MS), waitForContainerd(RECOVERY_LIMIT_MS)]);
    await waitForNode(kubectl, RECOVERY_LIMIT_MS);
    return true;
  } catch {
    return false;
  }
}

/** Waits until kube-apiserver says that it is ready. */
export function waitForApi(limitMs = START_LIMIT_MS): Promise<void> {
  const url = `https://${NODE_ADDRESS}:${API_PORT}/readyz`;
  return waitUntil(() => answersOk(url), limitMs, notReady('kube-apiserver'));
}

/** Waits until the container engine takes images. */
export function waitForContainerd(limitMs = START_LIMIT_MS): Promise<void> {
  return waitUntil(isContainerdReady, limitMs, notReady('containerd'));
}

/** Waits until the node has registered itself and can run pods. */
export async function waitForNode(kubectl: Kubectl, limitMs = START_LIMIT_MS): Promise<void> {
  const node = [`node/${NODE_NAME}`, `--timeout=${limitMs / 1000}s`];
  await kubectl.run(['wait', '--for=create', ...node]);
  await kubectl.run(['wait', '--for=condition=Ready', ...node]);
}

function notReady(service: string): string {
  return `${service} is not ready. Its log: ${layout.logs}/${service}/current`;
}
