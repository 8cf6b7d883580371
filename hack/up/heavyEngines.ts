import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { compact } from '../../core/lib/compact.ts';
import { CC_IMAGE, NODE_IMAGE } from '../images/base.ts';
import { projectRoot } from '../lib/paths.ts';
import { UserError } from '../lib/run.ts';
import { isBuilt, toolPath } from '../tools/build.ts';
import type { ToolName } from '../tools/catalogue.ts';
import { ensureTools } from '../tools/ensure.ts';
import { engineContext } from './engines.ts';
import { stageProgram } from './stageProgram.ts';

interface Heavy {
  /** The program that the image starts, or the only one that is not ours. */
  program: ToolName;
  /** A program that it starts itself. */
  helper?: ToolName;
  dockerfile: string;
  base: string;
  /** Programs of ours for Node, by the entry point from which each is bundled. */
  bundles?: Readonly<Record<string, string>>;
}

const heavy = (program: ToolName, folder: string, helper?: ToolName): Heavy => ({
  program,
  ...compact({ helper }),
  dockerfile: join(projectRoot, 'engines', folder, 'Dockerfile'),
  base: CC_IMAGE,
});

/** Engines whose programs take minutes to build or to download, by their name in the chart, in the order of builds. They are built on demand. */
export const heavyEngines = {
  geth: heavy('geth', 'geth'),
  prysm: heavy('beacon-chain', 'prysm'),
  'prysm-validator': heavy('validator', 'prysm'),
  'ethereum-genesis': heavy('ethereum-genesis', 'prysm'),
  thornode: heavy('thornode', 'thornode'),
  'solana-dev': heavy('solana-dev', 'solana-dev'),
  chainlink: heavy('chainlink', 'chainlink'),
  drand: heavy('drand-node', 'drand', 'drand'),
  postgres: heavy('postgres.tar', 'postgres'),
  graph: {
    ...heavy('gnd', 'graph'),
    base: NODE_IMAGE,
    bundles: { 'graph.mjs': join('engines', 'graph', 'src', 'main.ts') },
  },
  'op-geth': heavy('op-geth', 'op-geth'),
  'op-sequencer': heavy('op-sequencer', 'op-geth'),
  bsc: heavy('bsc', 'bsc'),
  avalanchego: heavy('avalanchego', 'avalanchego'),
  // Last: its build takes longer than all others together, and networks use solana-dev unless they say otherwise.
  solana: heavy('solana-test-validator', 'solana'),
} as const satisfies Record<string, Heavy>;
export type HeavyEngine = keyof typeof heavyEngines;

export const heavyEngineNames = Object.keys(heavyEngines) as HeavyEngine[];

/** Those without a published image. The chart's default images of the others come from their projects. */
export const ownEngines: readonly HeavyEngine[] = [
  ...(['ethereum-genesis', 'solana-dev', 'drand', 'op-sequencer', 'avalanchego', 'graph'] as const),
];

/** The engines whose programs are in the cache. */
export function builtEngines(): HeavyEngine[] {
  return heavyEngineNames.filter((name) => programsOf(name).every(isBuilt));
}

/** Builds all engines, or only the named ones, unless they are in the cache. Throws UserError for an unknown name. */
export async function buildEngines(wanted: readonly string[] = heavyEngineNames): Promise<void> {
  const unknown = wanted.filter((name) => !isHeavyEngine(name));
  if (unknown.length > 0) {
    throw new UserError(`unknown engine: ${unknown.join(', ')}; choose from ${heavyEngineNames.join(', ')}`);
  }
  await ensureTools(wanted.filter(isHeavyEngine).flatMap(programsOf));
}

function programsOf(name: HeavyEngine): ToolName[] {
  const { program, helper }: Heavy = heavyEngines[name];
  return helper ? [program, helper] : [program];
}

export function isHeavyEngine(name: string): name is HeavyEngine {
  return Object.hasOwn(heavyEngines, name);
}

/** Stages an engine's programs in the build context of its image and returns the context. */
export function stageHeavy(name: HeavyEngine): string {
  const { bundles = {} }: Heavy = heavyEngines[name];
  const context = engineContext(name);
  mkdirSync(context, { recursive: true });
  for (const program of programsOf(name)) {
    stageProgram(toolPath(program), join(context, program));
  }
  for (const [file, entry] of Object.entries(bundles)) bundle(entry, join(context, file));
  return context;
}

function bundle(entry: string, outfile: string): void {
  buildSync({
    ...{ absWorkingDir: projectRoot, entryPoints: [entry], outfile },
    ...{ bundle: true, platform: 'node', target: 'node24', format: 'esm', logLevel: 'warning' },
  });
}
