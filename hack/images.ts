import { UserError } from './lib/run.ts';
import { stageEvmDev } from './up/engines.ts';
import { buildImages } from './up/images.ts';

/** `node hack/images.ts`: builds both images and names them; `--engines` only fills the engines' contexts. */
async function main(): Promise<void> {
  if (process.argv.includes('--engines')) return console.log(await stageEvmDev());
  for (const { repository, tag, tar } of Object.values(await buildImages())) {
    console.log(`${repository}:${tag} ${tar}`);
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof UserError ? error.message : error);
  process.exitCode = 1;
});
