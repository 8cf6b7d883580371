import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import type { EngineName } from '../../core/api/engines.ts';
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
  /** About how long a first build occupies one processor. */
  minutes: number;
}

const heavy = (program: ToolName, folder: string, more: { minutes: number; helper?: ToolName }): Heavy => ({
  program,
  ...more,
  dockerfile: join(projectRoot, 'engines', folder, 'Dockerfile'),
  base: CC_IMAGE,
});

/** Engines whose programs take minutes to build or to download, by their name in the chart, in the order of builds. They are built on demand. */
export const heavyEngines = {
  geth: heavy('geth', 'geth', { minutes: 4 }),
  prysm: heavy('beacon-chain', 'prysm', { minutes: 8 }),
  'prysm-validator': heavy('validator', 'prysm', { minutes: 2 }),
  'ethereum-genesis': heavy('ethereum-genesis', 'prysm', { minutes: 2 }),
  thornode: heavy('thornode', 'thornode', { minutes: 8 }),
  'solana-dev': heavy('solana-dev', 'solana-dev', { minutes: 45 }),
  chainlink: heavy('chainlink', 'chainlink', { minutes: 12 }),
  drand: heavy('drand-node', 'drand', { helper: 'drand', minutes: 4 }),
  postgres: heavy('postgres.tar', 'postgres', { minutes: 1 }),
  graph: {
    ...heavy('gnd', 'graph', { minutes: 1 }),
    base: NODE_IMAGE,
    bundles: { 'graph.mjs': join('engines', 'graph', 'src', 'main.ts') },
  },
  'op-geth': heavy('op-geth', 'op-geth', { minutes: 4 }),
  'op-sequencer': heavy('op-sequencer', 'op-geth', { minutes: 2 }),
  bsc: heavy('bsc', 'bsc', { minutes: 4 }),
  avalanchego: heavy('avalanchego', 'avalanchego', { minutes: 4 }),
  // Last: its build takes longer than all others together, and networks use solana-dev unless they say otherwise.
  solana: heavy('solana-test-validator', 'solana', { minutes: 40 }),
} as const satisfies Partial<Record<EngineName, Heavy>>;
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

/** Builds all engines, or only the named ones, unless they are in the cache. */
export async function buildEngines(wanted: readonly HeavyEngine[] = heavyEngineNames): Promise<void> {
  await ensureTools(wanted.flatMap(programsOf));
}

/** Throws UserError for a name that is not that of an engine. */
export function knownEngines(names: readonly string[]): HeavyEngine[] {
  const unknown = names.filter((name) => !isHeavyEngine(name));
  if (unknown.length > 0) {
    throw new UserError(`unknown engine: ${unknown.join(', ')}; choose from ${heavyEngineNames.join(', ')}`);
  }
  return names.filter(isHeavyEngine);
}

/** What ENGINES says: names of engines, `none`, or nothing. */
export function namedEngines(text: string | undefined): HeavyEngine[] | 'none' {
  const names = text?.split(/[\s,]+/).filter(Boolean) ?? [];
  return names.length === 1 && names[0] === 'none' ? 'none' : knownEngines(names);
}

/** The programs in an engine's image that are built or downloaded. */
export function programsOf(name: HeavyEngine): ToolName[] {
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
    absWorkingDir: projectRoot,
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    logLevel: 'warning',
  });
}
