import { chartEnginesOf, type Manifest } from './render.ts';

/** An image that an installation uses, and for what. */
export interface UsedImage {
  image: string;
  /** Components of the service, and engines by their names in the chart. */
  uses: string[];
}

/** Every image of an installation's own pods, and of those that its networks can have, by their names. */
export function imagesOf(manifests: Manifest[]): UsedImage[] {
  const engines = Object.entries(chartEnginesOf(manifests));
  const pairs = [
    ...manifests.flatMap(podImages),
    ...engines.flatMap(([name, { image }]): [string, string][] => (image ? [[name, image]] : [])),
  ];
  const byImage = Map.groupBy(pairs, ([, image]) => image);
  return [...byImage]
    .map(([image, users]) => ({ image, uses: [...new Set(users.map(([use]) => use))] }))
    .sort((a, b) => (a.image < b.image ? -1 : 1));
}

/** The containers of a workload, a Job or a Pod, by the name of the container. */
function podImages({ kind, spec }: Manifest): [string, string][] {
  const pod = kind === 'Pod' ? spec : spec?.template?.spec;
  const containers: { name: string; image: string }[] = [
    ...(pod?.initContainers ?? []),
    ...(pod?.containers ?? []),
  ];
  return containers.map(({ name, image }) => [name, image]);
}

/** Where an image goes in a mirror: the name that the chart gives it with `imageRegistry`. */
export function inMirror(mirror: string, image: string): string {
  return `${mirror}/${image.replace(/^([^/]*[.:][^/]*|localhost)\//, '')}`;
}
