import { existsSync, rmdirSync } from 'node:fs';
import type { Cluster, ClusterOptions } from '../cluster/cluster.ts';
import { createKubectl, type Kubectl } from '../cluster/kubectl.ts';
import { withLock } from '../lib/lock.ts';
import { say, step } from '../lib/progress.ts';
import { run, UserError } from '../lib/run.ts';
import { ensureTools } from '../tools/ensure.ts';
import { cleanNode, describeInventory } from './clean.ts';
import { hasImageInNode, importImages } from './containers.ts';
import { buildSystemImages } from './images.ts';
import { isEmpty } from './inventory.ts';
import { bringUpNode, factsOf } from './node.ts';
import { nodeTools } from './prepare.ts';
import { serviceNames, serviceStatus } from './runit.ts';
import { layout, program } from './setup/layout.ts';
import { ensurePackages } from './setup/packages.ts';
import { readNodeState } from './state.ts';
import { removeWorkers } from './workers/down.ts';
import { startWorkers } from './workers/up.ts';

/** Returns this machine's native single-node cluster, started if needed; throws UserError when it cannot run here. */
export async function ensureNativeCluster(options: ClusterOptions): Promise<Cluster> {
  await ensurePackages();
  const tools = await ensureTools(nodeTools);
  const images = await buildSystemImages();
  const { ingressPort, forkSources } = options;
  await locked('up', () => bringUpNode({ tools, images, ingressPort, forkSources }));
  return {
    kind: 'native',
    kubeconfig: layout.adminKubeconfig,
    gatewayUrl: `http://127.0.0.1:${ingressPort}`,
    ingressClass: 'slipway',
    loadImages: importImages,
    hasImage: hasImageInNode,
    notes: [
      'The native node does not enforce NetworkPolicy. Its iptables rules keep pod traffic inside the cluster instead.',
      `Logs: ${layout.logs}; kubeconfig: ${layout.adminKubeconfig}`,
    ],
  };
}

/** Adds a node to this machine's native cluster, or starts again those that were added and do not work. Returns their names. */
export async function addNativeNode(): Promise<string[]> {
  requireNativeCluster();
  const images = await buildSystemImages();
  return locked('node', () => startWorkers(nativeKubectl(), factsOf(images)));
}

/** Removes all nodes that were added, with their volumes, and returns their names. */
export async function removeNativeNodes(): Promise<string[]> {
  requireNativeCluster();
  return locked('node-down', () => removeWorkers(nativeKubectl()));
}

function requireNativeCluster(): void {
  if (!readNodeState()?.isReady)
    throw new UserError(
      'There is no native cluster on this machine: start it with `CLUSTER=native make up`.',
    );
  if (process.getuid?.() !== 0)
    throw new UserError('The native cluster belongs to root: run the command with sudo.');
}

function nativeKubectl(): Kubectl {
  return createKubectl(program('kubectl'), layout.adminKubeconfig);
}

/** Removes the native node with all its data and prints what it removed; returns false when there was none. */
export async function downNativeCluster(): Promise<boolean> {
  const isRoot = process.getuid?.() === 0;
  if (!isRoot && existsSync(layout.state))
    throw new UserError('The native node belongs to root: run the command with sudo to remove it.');
  if (!isRoot) return false;
  const removed = await locked('down', () => step('removing the native node', () => cleanNode()));
  removeEmptyRoot();
  if (isEmpty(removed)) return false;
  say(`Removed and verified:\n${describeInventory(removed)}`);
  return true;
}

/** The services, nodes and pods of the native node as text; undefined when there is no native node. */
export async function nativeStatus(): Promise<string | undefined> {
  if (serviceNames().length === 0) return undefined;
  const services = await serviceStatus();
  const nodes = await nativeKubectl().try(['get', 'nodes,pods', '--all-namespaces', '--output=wide']);
  return `${services}\n${nodes.output}`;
}

/** The last lines of the log of each service of the node, or of one service. */
export async function nativeLogs(service?: string): Promise<string | undefined> {
  const names = serviceNames().filter((name) => !service || name === service);
  const files = names.map((name) => `${layout.logs}/${name}/current`).filter((file) => existsSync(file));
  if (files.length === 0) return undefined;
  return run('tail', ['--verbose', '--lines=40', ...files]);
}

function locked<T>(purpose: string, work: () => Promise<T>): Promise<T> {
  const onWait = (holder: string) => say(`waiting for ${holder} to finish`);
  return withLock({ path: layout.lock, purpose, onWait }, work);
}

function removeEmptyRoot(): void {
  try {
    rmdirSync(layout.root);
  } catch {
    // Not empty: another command is waiting for the lock in it.
  }
}
