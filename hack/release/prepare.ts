import { constants, copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { HeavyEngine } from '../up/heavyEngines.ts';
import { writeChart } from './chart.ts';
import { partsOf } from './folder.ts';
import type { Release } from './images.ts';
import { type ReleaseImage, releaseImages } from './names.ts';
import { packPackages } from './packages.ts';
import { type Part, sbomOf } from './sbom.ts';

interface Preparation {
  /** The engines that are published, of those that nobody else publishes. */
  engines?: readonly HeavyEngine[];
  /** Makes an image, and returns its docker-archive. */
  build(name: ReleaseImage): Promise<string>;
  /** What is in an image that was built. */
  partsOfImage(name: ReleaseImage): readonly Part[];
  /** Where all of it is left. */
  folder: string;
}

/** Builds all that a release publishes, and publishes nothing: it runs the code of packages. */
export async function prepare(
  release: Release,
  { engines, build, partsOfImage, folder }: Preparation,
): Promise<void> {
  const parts = partsOf(folder);
  const names = releaseImages(engines);
  for (const path of [parts.image('service'), parts.sbom('service')])
    mkdirSync(dirname(path), { recursive: true });
  for (const name of names) {
    copyFileSync(await build(name), parts.image(name), constants.COPYFILE_FICLONE);
    writeFileSync(parts.sbom(name), JSON.stringify(sbomOf(release, name, partsOfImage(name))));
  }
  await packPackages(release, folder);
  writeChart(release, names, folder);
}
