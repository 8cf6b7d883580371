import { buildEngines, type HeavyEngine, isHeavyEngine } from '../up/heavyEngines.ts';
import {
  type Bases,
  buildCompilersImage,
  buildEvmDevImage,
  buildHeavyImages,
  buildServiceImage,
  type StagedImages,
  stageImages,
} from '../up/images.ts';

import { addLayerZeroLicence } from './licences.ts';
import type { ReleaseImage } from './names.ts';

/**
 * Builds the images of a release, and returns their docker-archives. On public bases they are for everyone, and have all licences that
 * this needs; on those of this machine they are a trial.
 */
export function createImageBuilder(bases: Bases): (name: ReleaseImage) => Promise<string> {
  let staged: Promise<StagedImages> | undefined;
  return async (name) => {
    if (isHeavyEngine(name)) return buildEngine(name, bases);
    staged ??= stage(bases);
    const { evmDev, compilers } = await staged;
    const builds = {
      service: () => buildServiceImage(bases),
      'evm-dev': () => buildEvmDevImage(evmDev, bases),
      compilers: () => buildCompilersImage(compilers, bases),
    };
    return (await builds[name]()).tar;
  };
}

async function stage(bases: Bases): Promise<StagedImages> {
  const staged = await stageImages();
  if (bases === 'public') await addLayerZeroLicence();
  return staged;
}

async function buildEngine(name: HeavyEngine, bases: Bases): Promise<string> {
  await buildEngines([name]);
  const image = (await buildHeavyImages([name], bases))[name];
  if (!image) throw new Error(`${name} was not built`);
  return image.tar;
}
