import { runProgram } from './lib/program.ts';
import { buildImages, stageImages } from './up/images.ts';

/** `node hack/images.ts`: builds all images, except engines that are not in the cache, and prints their archives. */
async function main(): Promise<void> {
  const { heavy, ...images } = await buildImages(await stageImages());
  for (const { repository, tag, tar } of [...Object.values(images), ...Object.values(heavy)]) {
    console.log(`${repository}:${tag} ${tar}`);
  }
}

runProgram(main);
