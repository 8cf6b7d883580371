import { posix } from 'node:path';
import type { KubeObject } from '../../core/api/resources/kubeObject.ts';
import type { ConfigMap, Pod } from '../../core/kube/types.ts';
import { shortHashOf } from '../../core/lib/hash.ts';
import { filesVolume } from '../network/render/childNames.ts';

/** What a launcher starts its engine with. */
export interface LaunchPlan {
  args: string[];
  env: Record<string, string>;
  /** Texts by absolute path. */
  files: Record<string, string>;
}

/** A rendered pod, divided into what depends on its network and what does not. */
export interface DividedPod {
  plan: LaunchPlan;
  /** The pod's spec without the plan; its files have a folder of their own. */
  spec: Pod['spec'];
  /** A hash of the spec: the plan fits any pod of the same shape. */
  shape: string;
  /** Where the files are. */
  folder: string;
  /** The ConfigMap that the plan replaces. */
  filesName: string;
}

/** Divides a pod that was rendered with its files. Undefined if no launcher could start it. */
export function dividePod(pod: Pod, children: readonly KubeObject[]): DividedPod | undefined {
  const { containers, initContainers = [], volumes = [] } = pod.spec;
  const [container, ...others] = containers;
  const filesName = volumes.find(({ name }) => name === filesVolume)?.configMap?.name;
  if (!container || others.length > 0 || initContainers.length > 0 || filesName === undefined)
    return undefined;
  const { env = [], volumeMounts = [] } = container;
  const mounts = volumeMounts.filter(({ name }) => name === filesVolume);
  const [folder, ...folders] = new Set(mounts.map(({ mountPath }) => posix.dirname(mountPath)));
  if (folder === undefined || folders.length > 0) return undefined;
  const data = filesOf(children, filesName);
  const spec = {
    ...pod.spec,
    containers: [
      {
        ...container,
        args: [],
        // The launcher cannot read what the kubelet reads for it, so such a pod has a shape of its own.
        env: env.filter(({ value }) => value === undefined),
        volumeMounts: [
          ...volumeMounts.filter(({ name }) => name !== filesVolume),
          { name: filesVolume, mountPath: folder },
        ],
      },
    ],
    volumes: volumes.map((volume) =>
      volume.name === filesVolume ? { name: filesVolume, emptyDir: {} } : volume,
    ),
  };
  return {
    spec,
    folder,
    filesName,
    shape: shortHashOf(spec),
    plan: {
      args: container.args ?? [],
      env: Object.fromEntries(env.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]]))),
      files: Object.fromEntries(
        mounts.map(({ mountPath, subPath = '' }) => [mountPath, data[subPath] ?? '']),
      ),
    },
  };
}

function filesOf(children: readonly KubeObject[], name: string): Record<string, string> {
  const found = children.find((child) => isConfigMap(child) && child.metadata.name === name);
  return (found && isConfigMap(found) && found.data) || {};
}

export const isPod = (object: KubeObject): object is Pod => object.kind === 'Pod';
const isConfigMap = (object: KubeObject): object is ConfigMap => object.kind === 'ConfigMap';
