import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ReleaseImage } from './names.ts';

/**
 * What the build of a release hands to its publication: the images as docker-archives, what is in each, the npm packages, and the chart
 * with the places of the digests that only a registry gives.
 */
export const partsOf = (folder: string) => ({
  image: (name: ReleaseImage) => join(folder, 'images', `${name}.tar`),
  sbom: (name: ReleaseImage) => join(folder, 'sboms', `${name}.spdx.json`),
  chart: join(folder, 'chart', 'slipway'),
  /** What was published, for whoever attests it. */
  published: join(folder, 'images.json'),
});

/** Stands in the chart's values where the digest of an image will be. */
export const placeOfDigest = (name: ReleaseImage) => `digest-of-${name}`;

const places = /\bdigest-of-([a-z0-9-]+)/g;
const valuesOf = (folder: string) => join(partsOf(folder).chart, 'values.yaml');

/** The images that the chart wants published. */
export function wantedImages(folder: string): ReleaseImage[] {
  const values = readFileSync(valuesOf(folder), 'utf8');
  return [...values.matchAll(places)].map(([, name]) => name as ReleaseImage);
}

/** Puts digests in their places in the chart. Throws when there is none for one of them. */
export function putDigests(folder: string, digests: ReadonlyMap<ReleaseImage, string>): void {
  const values = readFileSync(valuesOf(folder), 'utf8').replace(places, (_place, name) => {
    const digest = digests.get(name);
    if (!digest) throw new Error(`the chart names the image ${name}, which is not published`);
    return digest;
  });
  writeFileSync(valuesOf(folder), values);
}

/** The archives of the npm packages. */
export function packagesIn(folder: string): string[] {
  return globSync('slipway-{sdk,cli}-*.tgz', { cwd: folder })
    .sort()
    .reverse()
    .map((name) => join(folder, name));
}
