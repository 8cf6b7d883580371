import { annotations, labels } from '../../core/api/names.ts';
import type { KubeObject } from '../../core/api/resources/kubeObject.ts';
import type { Pod } from '../../core/kube/types.ts';
import { dividePod, isPod, type LaunchPlan } from './shape.ts';

/** A pod that a network has adopted, and what its launcher starts. */
export interface Launch {
  pod: Pod;
  plan: LaunchPlan;
}

/** The rendered children with the adopted pods in place of those that run the same parts, and without the files of these. */
export function withAdopted(children: readonly KubeObject[], pods: readonly Pod[]): KubeObject[] {
  const places = children.filter(isPod).flatMap((rendered) => {
    const pod = adoptedFor(rendered, pods);
    return pod ? [{ rendered, pod, filesName: dividePod(rendered, children)?.filesName }] : [];
  });
  const files = new Set(places.map(({ filesName }) => filesName));
  return children
    .filter(({ kind, metadata }) => kind !== 'ConfigMap' || !files.has(metadata.name))
    .map((child) => {
      const place = places.find(({ rendered }) => rendered === child);
      return place ? { ...child, metadata: { ...child.metadata, name: place.pod.metadata.name } } : child;
    });
}

/** What the launchers of adopted pods must have been given. */
export function launchesOf(children: readonly KubeObject[], pods: readonly Pod[]): Launch[] {
  return children.filter(isPod).flatMap((rendered) => {
    const pod = adoptedFor(rendered, pods);
    const plan = dividePod(rendered, children)?.plan;
    return pod && plan ? [{ pod, plan }] : [];
  });
}

export function isAdopted({ metadata }: Pod): boolean {
  return metadata.annotations?.[annotations.adopted] !== undefined;
}

/** Until it is gone, even if it is terminating: as with other pods, the next one comes after it. */
function adoptedFor({ metadata }: Pod, pods: readonly Pod[]): Pod | undefined {
  const marks = [labels.network, labels.part, labels.incarnation];
  return pods.find(
    (pod) => isAdopted(pod) && marks.every((mark) => pod.metadata.labels?.[mark] === metadata.labels?.[mark]),
  );
}
