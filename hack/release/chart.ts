import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { repositoryIn } from '../images/registry/reference.ts';
import { projectRoot } from '../lib/paths.ts';
import { step } from '../lib/progress.ts';
import { run } from '../lib/run.ts';
import { ensureTools } from '../tools/ensure.ts';
import { annotationsOf, publishedDigest, type Release, type ReleaseImage, releaseImages } from './images.ts';

/** In the registry; `helm push` adds the name of the chart. */
const folderInRegistry = 'charts';

/**
 * Packages the chart with the published images as its defaults, by digest, and pushes it as an OCI artifact. Returns the archive in
 * `folder`, which is the registry's when an interrupted run has pushed it.
 */
export async function publishChart(
  release: Release,
  digests: ReadonlyMap<ReleaseImage, string>,
  folder: string,
): Promise<string> {
  const { version, registry } = release;
  const { helm } = await ensureTools(['helm']);
  const parent = `oci://${registry.host}/${repositoryIn(registry, folderInRegistry)}`;
  const plain = registry.url.startsWith('http:') ? ['--plain-http'] : [];
  const destination = ['--destination', folder];
  const archive = join(folder, `slipway-${version}.tgz`);
  await step(`publishing ${parent}/slipway ${version}`, async () => {
    if (await publishedDigest(release, `${folderInRegistry}/slipway`)) {
      await run(helm, ['pull', `${parent}/slipway`, '--version', version, ...plain, ...destination]);
      return;
    }
    const chart = writeChart(release, digests, folder);
    await run(helm, ['lint', '--strict', chart]);
    await run(helm, ['package', chart, ...destination]);
    await run(helm, ['push', archive, parent, ...plain]);
  });
  return archive;
}

/** The chart of this checkout as it is released, in `folder`. */
function writeChart(release: Release, digests: ReadonlyMap<ReleaseImage, string>, folder: string): string {
  const chart = join(folder, 'slipway');
  cpSync(join(projectRoot, 'charts', 'slipway'), chart, { recursive: true });
  change(join(chart, 'values.yaml'), (text) => releasedValues(text, release, digests));
  change(join(chart, 'Chart.yaml'), (text) => releasedChart(text, release));
  return chart;
}

function change(file: string, edit: (text: string) => string): void {
  writeFileSync(file, edit(readFileSync(file, 'utf8')));
}

/** `values.yaml` with the published images. An image that is not published has no repository: what needs it is refused with the value to set. */
function releasedValues(
  text: string,
  { registry }: Pick<Release, 'registry'>,
  digests: ReadonlyMap<ReleaseImage, string>,
): string {
  const document = parseDocument(text);
  for (const name of releaseImages()) {
    const digest = digests.get(name);
    const place = placeOf(name);
    document.setIn(
      [...place, 'repository'],
      digest ? `${registry.host}/${repositoryIn(registry, name)}` : '',
    );
    if (digest) document.setIn([...place, 'digest'], digest);
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
