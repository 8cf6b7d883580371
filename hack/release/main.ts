import { parseRegistry } from '../images/registry/reference.ts';
import { UserError } from '../lib/run.ts';
import { namedEngines, ownEngines } from '../up/heavyEngines.ts';
import { createImageBuilder } from './build.ts';
import { releasedCheckout, releaseRegistry } from './checkout.ts';
import type { Release } from './images.ts';
import { publish } from './publish.ts';

/**
 * `node hack/release/main.ts FOLDER`: publishes the images and the chart of the tag at HEAD, and leaves the archives of the chart and
 * of the npm packages in FOLDER. ENGINES names the engines to publish, or `none`; by default all that nobody else publishes.
 * RELEASE_REGISTRY names another registry than that of the remote `origin`. With BASES=machine, the images are built on files of this
 * machine, for a trial where Docker Hub cannot be reached.
 */
async function main(folder: string | undefined): Promise<void> {
  if (!folder) throw new UserError('usage: node hack/release/main.ts FOLDER');
  const { chart, packages } = await publish(await releaseOfCheckout(), {
    engines: enginesOf(process.env.ENGINES),
    build: createImageBuilder(process.env.BASES === 'machine' ? 'machine' : 'public'),
    folder,
  });
  for (const archive of [chart, ...packages]) console.log(archive);
}

async function releaseOfCheckout(): Promise<Release> {
  const checkout = await releasedCheckout();
  if (!checkout) {
    throw new UserError(
      'Only a release is published: commit everything, and tag it as v<version of package.json>.',
    );
  }
  const { version, revision, repository } = checkout;
  const registry = releaseRegistry(repository);
  if (!repository || !registry) {
    throw new UserError('The remote `origin` is not at GitHub, whose name images and packages carry.');
  }
  return { version, revision, repository, registry: parseRegistry(registry) };
}

function enginesOf(text: string | undefined) {
  if (!text) return ownEngines;
  const named = namedEngines(text);
  return named === 'none' ? [] : named;
}

main(process.argv[2]).catch((error: unknown) => {
  console.error(error instanceof UserError ? error.message : error);
  process.exitCode = 1;
});
