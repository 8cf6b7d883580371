import { stageEvmDev } from './up/engines.ts';
import { buildImages } from './up/images.ts';

/** `node hack/images.ts`: builds both images and names them; `--engines` only fills the engines' contexts. */
if (process.argv.includes('--engines')) {
  console.log(await stageEvmDev());
} else {
  for (const { repository, tag, tar } of Object.values(await buildImages())) {
    console.log(`${repository}:${tag} ${tar}`);
  }
}
