import { writeFileSync } from 'node:fs';
import { repositoryIn } from '../images/registry/reference.ts';
import { packagesIn, partsOf, wantedImages } from './folder.ts';
import { publishImages, type Release } from './images.ts';
import { publishChart } from './publishChart.ts';

/** The archives of a release, for its page and for npm. */
export interface Published {
  chart: string;
  packages: string[];
}

/**
 * Publishes what `prepare` has left in a folder: the images, and the chart that names them. The chart comes last, so that whoever can
 * install it has everything else. Repeats nothing that an interrupted run has done. Runs no code of packages: it has the right to publish.
 */
export async function publish(release: Release, folder: string): Promise<Published> {
  const parts = partsOf(folder);
  const digests = await publishImages(release, wantedImages(folder), parts.image);
  const chart = await publishChart(release, digests, folder);
  const { registry } = release;
  const images = [...digests].map(([name, digest]) => ({
    name,
    image: `${registry.host}/${repositoryIn(registry, name)}`,
    digest,
  }));
  writeFileSync(parts.published, JSON.stringify(images));
  return { chart, packages: packagesIn(folder) };
}
