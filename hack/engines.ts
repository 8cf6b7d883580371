import { buildAhead } from './builder/ahead.ts';
import { runProgram } from './lib/program.ts';
import { stageCompilers } from './up/compilers.ts';
import { stageEvmDev } from './up/engines.ts';
import { builtEngines, heavyEngineNames, knownEngines, stageHeavy } from './up/heavyEngines.ts';

/**
 * `node hack/engines.ts [NAME...]`: builds all engines, or only the named ones, unless they are in the cache, and makes them
 * available in the cluster of this machine, if one runs. Stages the build contexts of the engine images and prints their
 * paths. evm-dev needs no build; compilers needs `npm run build`.
 */
async function main(names: string[]): Promise<void> {
  console.log(await stageEvmDev());
  if (names.includes('compilers')) console.log(await stageCompilers());
  const heavy = names.filter((name) => name !== 'evm-dev' && name !== 'compilers');
  if (names.length > 0 && heavy.length === 0) return;
  await buildAhead(heavy.length > 0 ? knownEngines(heavy) : heavyEngineNames);
  for (const name of builtEngines()) console.log(stageHeavy(name));
}

runProgram(() => main(process.argv.slice(2)));
