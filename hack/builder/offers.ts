import { availableParallelism } from 'node:os';
import { hasDocker } from '../images/engine.ts';
import { tryRun } from '../lib/run.ts';
import { isBuilt } from '../tools/build.ts';
import { requireCargo } from '../tools/cargo.ts';
import { catalogue, type Tool, type ToolName } from '../tools/catalogue.ts';
import { candidateOf } from '../tools/debian.ts';
import { type HeavyEngine, heavyEngineNames, heavyEngines, programsOf } from '../up/heavyEngines.ts';

/** About how long each engine takes that can be built on this machine, in the order of builds. */
export async function offersOfMachine(): Promise<Map<HeavyEngine, string>> {
  const canBuild = await abilities();
  const offers = new Map<HeavyEngine, string>();
  for (const engine of heavyEngineNames) {
    const open = programsOf(engine).filter((program) => !isBuilt(program));
    const answers = await Promise.all(open.map((program) => canBuild(program, catalogue[program])));
    if (answers.every(Boolean)) offers.set(engine, open.length === 0 ? imageAlone : takesOf(engine));
  }
  return offers;
}

const imageAlone = 'less than a minute';

/** With all processors of this machine. */
export function takesOf(engine: HeavyEngine, processors = availableParallelism()): string {
  const minutes = Math.max(1, Math.round(heavyEngines[engine].minutes / processors));
  return minutes === 1 ? 'about a minute' : `about ${minutes} minutes`;
}

/** Whether this machine has what a program is built with. What it lacks is said by `make engines`. */
async function abilities(): Promise<(name: ToolName, tool: Tool) => Promise<boolean>> {
  const hasGo = (await tryRun('go', ['version'])).code === 0 || (await hasDocker());
  return async (name, tool) => {
    if ('crate' in tool)
      return requireCargo(name, tool).then(
        () => true,
        () => false,
      );
    if ('debianPackages' in tool) return (await candidateOf(tool.debianPackages[0] ?? '')) !== undefined;
    if ('npmPackage' in tool) return process.platform === 'linux' && process.arch === 'x64';
    return hasGo;
  };
}
