import { runProgram } from '../lib/program.ts';
import { UserError } from '../lib/run.ts';
import { releaseOfCheckout } from './checkout.ts';
import { publish } from './publish.ts';

/**
 * `node hack/release/main.ts FOLDER`: publishes the images and the chart that `hack/release/build.ts` has left in FOLDER, and leaves the
 * archive of the chart beside those of the npm packages. Needs no packages.
 */
async function main(folder: string | undefined): Promise<void> {
  if (!folder) throw new UserError('usage: node hack/release/main.ts FOLDER');
  const { chart, packages } = await publish(await releaseOfCheckout(), folder);
  for (const archive of [chart, ...packages]) console.log(archive);
}

runProgram(() => main(process.argv[2]));
