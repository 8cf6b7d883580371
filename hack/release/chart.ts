import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { repositoryIn } from '../images/registry/reference.ts';
import { projectRoot } from '../lib/paths.ts';
import { partsOf, placeOfDigest } from './folder.ts';
import { annotationsOf, type Release } from './images.ts';
import { type ReleaseImage, releaseImages } from './names.ts';

/** Writes the chart of this checkout as it is released, but for the digests of `images`, which their publication puts in. */
export function writeChart(release: Release, images: readonly ReleaseImage[], folder: string): void {
  const { chart } = partsOf(folder);
  cpSync(join(projectRoot, 'charts', 'slipway'), chart, { recursive: true });
  change(join(chart, 'values.yaml'), (text) => releasedValues(text, release, images));
  change(join(chart, 'Chart.yaml'), (text) => releasedChart(text, release));
}

function change(file: string, edit: (text: string) => string): void {
  writeFileSync(file, edit(readFileSync(file, 'utf8')));
}

/** `values.yaml` with the published images. An image that is not published has no repository: what needs it is refused with the value to set. */
function releasedValues(
  text: string,
  { registry }: Pick<Release, 'registry'>,
  images: readonly ReleaseImage[],
): string {
  const document = parseDocument(text);
  for (const name of releaseImages()) {
    const isPublished = images.includes(name);
    const repository = isPublished ? `${registry.host}/${repositoryIn(registry, name)}` : '';
    document.setIn([...placeOf(name), 'repository'], repository);
    if (isPublished) document.setIn([...placeOf(name), 'digest'], placeOfDigest(name));
  }
  return document.toString({ lineWidth: 0 });
}

/** Where the chart's values name an image. */
function placeOf(name: ReleaseImage): string[] {
  if (name === 'service') return ['image'];
  return name === 'compilers' ? ['compilers', 'image'] : ['engines', name];
}

/** `Chart.yaml` with what helm hands on to the registry as annotations. */
function releasedChart(text: string, release: Release): string {
  const document = parseDocument(text);
  for (const [name, value] of Object.entries(annotationsOf(release))) {
    document.setIn(['annotations', name], value);
  }
  return document.toString({ lineWidth: 0 });
}
