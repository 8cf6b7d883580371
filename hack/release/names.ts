import { type HeavyEngine, ownEngines } from '../up/heavyEngines.ts';

/** The images without which a new installation does not start. */
const basicImages = ['service', 'evm-dev', 'compilers'] as const;

export type ReleaseImage = (typeof basicImages)[number] | HeavyEngine;

/** Images of this repository that nobody else publishes: those of a new installation, and engines. */
export function releaseImages(engines: readonly HeavyEngine[] = ownEngines): ReleaseImage[] {
  return [...basicImages, ...engines];
}
