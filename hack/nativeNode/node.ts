import { createKubectl, type Kubectl } from '../cluster/kubectl.ts';
import { say, step } from '../lib/progress.ts';
import { addonsStamp, renderAddons, waitForAddons } from './addons/addons.ts';
import { cleanNode, describeInventory } from './clean.ts';
import { importImages } from './containers.ts';
import { isHealthy, waitForApi, waitForContainerd, waitForNode } from './health.ts';
import type { SystemImages } from './images.ts';
import { isEmpty, takeInventory } from './inventory.ts';
import { applyEgressRules } from './net/egress.ts';
import { prepareNetwork, readSysctls } from './net/network.ts';
import { stampOf, writeNode } from './prepare.ts';
import { startSupervisor } from './runit.ts';
import { type NodeFacts, plainConfigs } from './setup/configs.ts';
import { layout, program } from './setup/layout.ts';
import { cniPluginFolder } from './setup/packages.ts';
import { requireFreePorts } from './setup/ports.ts';
import { type NodeState, readNodeState, writeNodeState } from './state.ts';

/** What a node is built from. */
export interface NodeParts {
  /** Paths of the cached programs. */
  tools: Record<string, string>;
  images: SystemImages;
  ingressPort: number;
  /** URLs outside the cluster that pods may reach. */
  forkSources: string[];
}

/** Reuses the machine's node when it matches `parts` and is healthy; otherwise removes it and starts a new one. */
export async function bringUpNode(parts: NodeParts): Promise<void> {
  const configs = plainConfigs(factsOf(parts.images));
  const stamp = stampOf(configs, parts.tools);
  const kubectl = createKubectl(program('kubectl'), layout.adminKubeconfig);
  if (!(await canReuseNode(stamp, kubectl))) await startNode({ ...parts, stamp, configs }, kubectl);
  await applyEgressRules(parts.forkSources);
  await ensureAddons(parts, kubectl);
}

/** What all nodes of the cluster are made of. */
export function factsOf(images: SystemImages): NodeFacts {
  return {
    pauseImage: images.pause.image,
    cniPlugins: cniPluginFolder() ?? '',
  };
}

async function canReuseNode(stamp: string, kubectl: Kubectl): Promise<boolean> {
  const state = readNodeState();
  if (state && state.stamp === stamp && (await isHealthy(state, kubectl))) return true;
  const left = await takeInventory();
  if (isEmpty(left)) return false;
  const isOther = state?.isReady && state.stamp !== stamp;
  const reason = isOther
    ? 'an older node with different programs or settings'
    : 'leftovers of an earlier run';
  await step(`removing ${reason}`, () => cleanNode());
  say(describeInventory(left));
  return false;
}

interface NewNode extends NodeParts {
  stamp: string;
  configs: Record<string, string>;
}

async function startNode({ stamp, configs, ...parts }: NewNode, kubectl: Kubectl): Promise<void> {
  const state: NodeState = { stamp, isReady: false, sysctls: readSysctls() };
  writeNodeState(state);
  await prepareNetwork();
  await requireFreePorts(parts.ingressPort);
  await step('writing certificates and configuration', () => writeNode(configs, parts.tools));
  await step('starting the control plane and the kubelet', async () => {
    state.supervisor = startSupervisor();
    writeNodeState(state);
    await Promise.all([startWithImages(parts.images), waitForApi()]);
    await waitForNode(kubectl);
  });
  writeNodeState({ ...state, isReady: true });
}

async function startWithImages(images: SystemImages): Promise<void> {
  await waitForContainerd();
  await importImages(Object.values(images));
}

/** Applies the DNS, storage and ingress add-ons when their manifests or images have changed. */
async function ensureAddons(parts: NodeParts, kubectl: Kubectl): Promise<void> {
  const manifests = renderAddons(parts.images, parts.ingressPort);
  const ids = Object.values(parts.images).map((image) => image.id);
  const stamp = addonsStamp([manifests, ...ids].join());
  const state = readNodeState();
  if (!state || state.addons === stamp) return;
  await step('starting DNS, storage and ingress', async () => {
    await importImages(Object.values(parts.images));
    await kubectl.run(['apply', '--server-side', '--force-conflicts', '--filename', '-'], manifests);
    await waitForAddons(kubectl);
  });
  writeNodeState({ ...state, addons: stamp });
}
