import { annotations } from '../api/names.ts';
import type { KubeObject } from '../api/resources/kubeObject.ts';
import type { Kube } from '../kube/kube.ts';
import { namespaceType } from '../kube/types.ts';

/**
 * The epoch with which keys of a namespace begin that no record names. Records of rotated and revoked keys end with their namespace, so
 * the operator gives each one that it creates an epoch beyond all that another one of its name can have reached: the time, in ms.
 */
export function firstKeyEpochOf({ metadata }: Pick<KubeObject, 'metadata'>): number {
  const text = metadata.annotations?.[annotations.firstKeyEpoch] ?? '';
  return /^\d{1,15}$/.test(text) ? Number(text) : 0;
}

/** The same, from the cluster: a cache may still have the namespace that had the name before. */
export async function readFirstKeyEpoch(kube: Pick<Kube, 'get'>, name: string): Promise<number> {
  const namespace = await kube.get(namespaceType, { name });
  return namespace ? firstKeyEpochOf(namespace) : 0;
}

/** The annotations of a namespace that is created now. */
export async function firstKeyEpochNow(kube: Pick<Kube, 'serverTimeMs'>): Promise<Record<string, string>> {
  return { [annotations.firstKeyEpoch]: String(await kube.serverTimeMs()) };
}
