import { mkdirSync } from 'node:fs';
import type { HeavyEngine } from '../up/heavyEngines.ts';
import { publishChart } from './chart.ts';
import { publishImages, type Release, type ReleaseImage, releaseImages } from './images.ts';
import { packPackages } from './packages.ts';

interface Publication {
  /** The engines that are published, of those that nobody else publishes. */
  engines?: readonly HeavyEngine[];
  /** Makes an image, and returns its docker-archive. */
  build(name: ReleaseImage): Promise<string>;
  /** Where the archives of the chart and of the packages are left. */
  folder: string;
}

/** The archives of a release, for its page and for npm. */
export interface Published {
  chart: string;
  packages: string[];
}

/**
 * Publishes the images, and the chart that names them; packs the packages. The chart comes last, so that whoever can install it has
 * everything else. Repeats nothing that an interrupted run has done.
 */
export async function publish(release: Release, { engines, build, folder }: Publication): Promise<Published> {
  mkdirSync(folder, { recursive: true });
  const digests = await publishImages(release, releaseImages(engines), build);
  const packages = await packPackages(release, folder);
  return { packages, chart: await publishChart(release, digests, folder) };
}
