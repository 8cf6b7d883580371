import { UserError } from './lib/run.ts';
import { stageEvmDev } from './up/engines.ts';
import { buildEngines, builtEngines, stageHeavy } from './up/heavyEngines.ts';

/**
 * `node hack/engines.ts [evm-dev]`: builds what is not in the cache, fills the contexts of the engine images and names
 * them; of evm-dev alone when that is named, which takes no time.
 */
async function main(names: string[]): Promise<void> {
  console.log(await stageEvmDev());
  if (names.length === 1 && names[0] === 'evm-dev') return;
  await buildEngines();
  for (const name of builtEngines()) console.log(stageHeavy(name));
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof UserError ? error.message : error);
  process.exitCode = 1;
});
