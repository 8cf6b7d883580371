import { messageOf } from '../../core/lib/errors.ts';
import { say, step } from '../lib/progress.ts';
import { buildEngines, type HeavyEngine, heavyEngineNames } from '../up/heavyEngines.ts';
import { archivesOf, buildHeavyImages, type NamedImage, type ProjectImages } from '../up/images.ts';
import { availableEntry, type Published } from './entries.ts';
import { findLocalCluster, hasService, kubeOf, type LocalCluster } from './local.ts';
import { publish } from './object.ts';

/** Builds engines before any network wants them, and makes them available in the cluster of this machine, if one runs. */
export async function buildAhead(names: readonly HeavyEngine[]): Promise<void> {
  await buildEngines(names);
  const cluster = await findLocalCluster();
  if (!cluster) return;
  try {
    await makeAvailable(cluster, names);
  } catch (error) {
    say(`  not made available, run \`make up\`: ${messageOf(error)}`);
  }
}

async function makeAvailable(cluster: LocalCluster, names: readonly HeavyEngine[]): Promise<void> {
  const kube = kubeOf(cluster.kubeconfig);
  try {
    if (!(await hasService(kube))) return;
    const images = await step('building the images of the engines', () => buildHeavyImages(names));
    const archives = archivesOf(Object.values(images));
    await step('loading the images into the cluster', () => cluster.loadImages(archives));
    await publish(kube, entriesOf(images));
    say(`  available without a restart: ${names.join(', ')}`);
  } finally {
    await kube.close();
  }
}

/** The entries of images that the cluster has, or can pull. */
export function entriesOf(heavy: ProjectImages<NamedImage>['heavy']): Map<string, Published> {
  const found = heavyEngineNames.flatMap((name): [string, Published][] => {
    const image = heavy[name];
    return image ? [[name, availableEntry(name, image)]] : [];
  });
  return new Map(found);
}
