import { UserError } from './lib/run.ts';
import { stageEvmDev } from './up/engines.ts';
import { buildEngines, builtEngines, stageHeavy } from './up/heavyEngines.ts';

/** `node hack/engines.ts`: builds what is not in the cache, fills the contexts of all engine images and names them. */
async function main(): Promise<void> {
  await buildEngines();
  for (const context of [await stageEvmDev(), ...builtEngines().map(stageHeavy)]) console.log(context);
}

main().catch((error: unknown) => {
  console.error(error instanceof UserError ? error.message : error);
  process.exitCode = 1;
});
