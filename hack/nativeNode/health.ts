import type { Kubectl } from '../cluster/kubectl.ts';
import { answersOk } from '../lib/http.ts';
import { isAlive } from '../lib/processes.ts';
import { waitUntil } from '../lib/wait.ts';
import { isContainerdReady } from './containers.ts';
import { resumeServices } from './runit.ts';
import { API_PORT, layout, NODE_ADDRESS, NODE_NAME } from './setup/layout.ts';
import type { NodeState } from './state.ts';

const START_LIMIT_MS = 120_000;
/** A killed process restarts within this time even on a busy machine. Giving up earlier would discard the node's data. */
const RECOVERY_LIMIT_MS = 60_000;

/** True when the supervisor is running and the API, containerd and the kubelet respond within the recovery limit. */
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

/** Waits until kube-apiserver reports that it is ready. */
export function waitForApi(limitMs = START_LIMIT_MS): Promise<void> {
  const url = `https://${NODE_ADDRESS}:${API_PORT}/readyz`;
  return waitUntil(() => answersOk(url), limitMs, notReady('kube-apiserver'));
}

/** Waits until containerd accepts images. */
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
  return `${service} did not become ready in time. See its log: ${layout.logs}/${service}/current`;
}
