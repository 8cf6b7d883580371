import { join } from 'node:path';
import { repositoryIn } from '../images/registry/reference.ts';
import { step } from '../lib/progress.ts';
import { run } from '../lib/run.ts';
import { ensureTools } from '../tools/ensure.ts';
import { partsOf, putDigests } from './folder.ts';
import { publishedDigest, type Release } from './images.ts';
import type { ReleaseImage } from './names.ts';

/** In the registry; `helm push` adds the name of the chart. */
const folderInRegistry = 'charts';

/**
 * Packages the chart in `folder` with the published images as its defaults, by digest, and pushes it as an OCI artifact. Returns its
 * archive, which is the registry's when an interrupted run has pushed it.
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
    putDigests(folder, digests);
    const { chart } = partsOf(folder);
    await run(helm, ['lint', '--strict', chart]);
    await run(helm, ['package', chart, ...destination]);
    await run(helm, ['push', archive, parent, ...plain]);
  });
  return archive;
}
