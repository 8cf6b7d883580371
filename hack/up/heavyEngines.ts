import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../lib/paths.ts';
import { UserError } from '../lib/run.ts';
import { isBuilt, toolPath } from '../tools/build.ts';
import type { ToolName } from '../tools/catalogue.ts';
import { ensureTools } from '../tools/ensure.ts';
import { engineContext } from './engines.ts';

interface Heavy {
  /** The only program in the image. */
  program: ToolName;
  dockerfile: string;
}

const heavy = (program: ToolName, folder: string): Heavy => ({
  program,
  dockerfile: join(projectRoot, 'engines', folder, 'Dockerfile'),
});

/** Engines whose programs take minutes to build, by their name in the chart. They are built on demand. */
export const heavyEngines = {
  geth: heavy('geth', 'geth'),
  prysm: heavy('beacon-chain', 'prysm'),
  'prysm-validator': heavy('validator', 'prysm'),
  'ethereum-genesis': heavy('ethereum-genesis', 'prysm'),
  thornode: heavy('thornode', 'thornode'),
  solana: heavy('solana-test-validator', 'solana'),
  'solana-dev': heavy('solana-dev', 'solana-dev'),
  'op-geth': heavy('op-geth', 'op-geth'),
  'op-sequencer': heavy('op-sequencer', 'op-geth'),
  bsc: heavy('bsc', 'bsc'),
} as const satisfies Record<string, Heavy>;
export type HeavyEngine = keyof typeof heavyEngines;

export const heavyEngineNames = Object.keys(heavyEngines) as HeavyEngine[];

/** The engines whose programs are in the cache. */
export function builtEngines(): HeavyEngine[] {
  return heavyEngineNames.filter((name) => isBuilt(heavyEngines[name].program));
}

/** Builds all engines, or only the named ones, unless they are in the cache. Throws UserError for an unknown name. */
export async function buildEngines(wanted: readonly string[] = heavyEngineNames): Promise<void> {
  const unknown = wanted.filter((name) => !isHeavyEngine(name));
  if (unknown.length > 0) {
    throw new UserError(`unknown engine: ${unknown.join(', ')}; choose from ${heavyEngineNames.join(', ')}`);
  }
  await ensureTools(wanted.filter(isHeavyEngine).map((name) => heavyEngines[name].program));
}

function isHeavyEngine(name: string): name is HeavyEngine {
  return Object.hasOwn(heavyEngines, name);
}

/** Stages an engine's program in the build context of its image and returns the context. */
export function stageHeavy(name: HeavyEngine): string {
  const { program } = heavyEngines[name];
  const context = engineContext(name);
  mkdirSync(context, { recursive: true });
  const source = toolPath(program);
  const target = join(context, program);
  if (!existsSync(target) || !readFileSync(source).equals(readFileSync(target))) {
    copyFileSync(source, target);
    chmodSync(target, 0o755);
  }
  return context;
}
