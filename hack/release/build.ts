import { runProgram } from '../lib/program.ts';
import { UserError } from '../lib/run.ts';
import { namedEngines, ownEngines } from '../up/heavyEngines.ts';
import { releaseOfCheckout } from './checkout.ts';
import { createImageBuilder } from './imageBuilder.ts';
import { prepare } from './prepare.ts';
import { partsOfImage } from './sbom.ts';

/**
 * `node hack/release/build.ts FOLDER`: builds what a release of the tag at HEAD publishes, and leaves it in FOLDER for
 * `hack/release/main.ts`. ENGINES names the engines to publish, or `none`; by default all that nobody else publishes. RELEASE_REGISTRY names
 * another registry than that of the remote `origin`. With BASES=machine, the images are built on files of this machine, for a trial where
 * Docker Hub cannot be reached.
 */
async function main(folder: string | undefined): Promise<void> {
  if (!folder) throw new UserError('usage: node hack/release/build.ts FOLDER');
  await prepare(await releaseOfCheckout(), {
    engines: enginesOf(process.env.ENGINES),
    build: createImageBuilder(process.env.BASES === 'machine' ? 'machine' : 'public'),
    partsOfImage,
    folder,
  });
}

function enginesOf(text: string | undefined) {
  if (!text) return ownEngines;
  const named = namedEngines(text);
  return named === 'none' ? [] : named;
}

runProgram(() => main(process.argv[2]));
