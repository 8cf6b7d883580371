import { existsSync } from 'node:fs';
import { createKube, type KubeClient } from '../../core/kube/client/client.ts';
import { namespaceType } from '../../core/kube/types.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { silentLog } from '../../core/lib/log.ts';
import { kindClusterExists, kindKubeconfig, loadIntoKind } from '../cluster/kind.ts';
import { hasDocker } from '../images/engine.ts';
import { type ImageArchiveFile, importImages } from '../nativeNode/containers.ts';
import { layout } from '../nativeNode/setup/layout.ts';
import { readNodeState } from '../nativeNode/state.ts';
import { releaseNamespace } from '../up/names.ts';

/** The clusters that `make up` makes on this machine. */
export type LocalKind = 'native' | 'kind';

/** How images come into a cluster of this machine, and how its API is reached. */
export interface LocalCluster {
  kind: LocalKind;
  kubeconfig: string;
  loadImages(archives: ImageArchiveFile[]): Promise<void>;
}

export function localCluster(kind: LocalKind): LocalCluster {
  if (kind === 'native') return { kind, kubeconfig: layout.adminKubeconfig, loadImages: importImages };
  return { kind, kubeconfig: kindKubeconfig(), loadImages: (archives) => loadIntoKind(archives) };
}

/** The cluster of this machine that runs; undefined when there is none. */
export async function findLocalCluster(): Promise<LocalCluster | undefined> {
  if (readNodeState()?.isReady) return localCluster('native');
  const isKind = existsSync(kindKubeconfig()) && (await hasDocker()) && (await kindClusterExists());
  return isKind ? localCluster('kind') : undefined;
}

export function kubeOf(kubeconfigPath: string): KubeClient {
  return createKube({ kubeconfigPath, log: silentLog, clock: systemClock });
}

/** Whether the service is, or is being, installed there. False as well while the cluster does not answer. */
export async function hasService(kube: Pick<KubeClient, 'get'>): Promise<boolean> {
  const namespace = await kube.get(namespaceType, { name: releaseNamespace }).catch(() => undefined);
  return namespace !== undefined;
}
