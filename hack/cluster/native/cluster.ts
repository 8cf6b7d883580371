import { existsSync, rmdirSync } from 'node:fs';
import { withLock } from '../../lib/lock.ts';
import { say, step } from '../../lib/progress.ts';
import { run, UserError } from '../../lib/run.ts';
import { ensureTools } from '../../tools/ensure.ts';
import type { Cluster, ClusterOptions } from '../cluster.ts';
import { createKubectl } from '../kubectl.ts';
import { cleanNode, describeInventory } from './clean.ts';
import { hasImageInNode, importImages } from './containers.ts';
import { buildSystemImages } from './images.ts';
import { isEmpty } from './inventory.ts';
import { bringUpNode } from './node.ts';
import { nodeTools } from './prepare.ts';
import { serviceNames, serviceStatus } from './runit.ts';
import { layout, program } from './setup/layout.ts';
import { ensurePackages } from './setup/packages.ts';

/** The native single node of this machine, started when it is not there; throws UserError where it cannot be. */
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
    ingressClass: 'skipper',
    loadImages: importImages,
    hasImage: hasImageInNode,
    notes: [
      'NetworkPolicy is not enforced on the native node: an iptables rule keeps pods inside the cluster instead.',
      `Logs: ${layout.logs}; kubeconfig: ${layout.adminKubeconfig}`,
    ],
  };
}

/** Removes the machine's native node with all its data and prints what it removed; false when there was none. */
export async function downNativeCluster(): Promise<boolean> {
  const isRoot = process.getuid?.() === 0;
  if (!isRoot && existsSync(layout.state))
    throw new UserError('The native node is root’s: use sudo to remove it.');
  if (!isRoot) return false;
  const removed = await locked('down', () => step('removing the native node', () => cleanNode()));
  removeEmptyRoot();
  if (isEmpty(removed)) return false;
  say(`Removed, and verified to be gone:\n${describeInventory(removed)}`);
  return true;
}

/** The node's processes, nodes and pods as text; undefined when there is no native node. */
export async function nativeStatus(): Promise<string | undefined> {
  if (serviceNames().length === 0) return undefined;
  const services = await serviceStatus();
  const kubectl = createKubectl(program('kubectl'), layout.adminKubeconfig);
  const nodes = await kubectl.try(['get', 'nodes,pods', '--all-namespaces', '--output=wide']);
  return `${services}\n${nodes.output}`;
}

/** The end of each log of the node's processes, or of one of them. */
export async function nativeLogs(service?: string): Promise<string | undefined> {
  const names = serviceNames().filter((name) => !service || name === service);
  const files = names.map((name) => `${layout.logs}/${name}/current`).filter((file) => existsSync(file));
  if (files.length === 0) return undefined;
  return run('tail', ['--verbose', '--lines=40', ...files]);
}

function locked<T>(purpose: string, work: () => Promise<T>): Promise<T> {
  const onWait = (holder: string) => say(`waiting for ${holder} to end`);
  return withLock({ path: layout.lock, purpose, onWait }, work);
}

function removeEmptyRoot(): void {
  try {
    rmdirSync(layout.root);
  } catch {
    // Another command waits for its turn in there.
  }
}
