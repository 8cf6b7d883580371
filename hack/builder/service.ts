import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { identify, isAlive } from '../lib/processes.ts';
import {
  builderServiceLog,
  hasBuilderService,
  startBuilderService,
  stopBuilderService,
} from '../nativeNode/builderService.ts';
import { endGroup } from './childBuild.ts';
import { stopFormerJob } from './formerJob.ts';
import { dropOtherSources, keepSources } from './keep.ts';
import type { LocalKind } from './local.ts';
import { builderLog, readBuilderState, writeBuilderState } from './state.ts';

/** Leaves a builder on this machine that outlives the checkout. One that runs from the same sources stays. */
export async function startBuilder(kind: LocalKind): Promise<'started' | 'runs already'> {
  const sources = await keepSources();
  const before = readBuilderState();
  if (before?.kind === kind && before.sources === sources && isBuilderRunning()) return 'runs already';
  await stopBuilder();
  const command = [nodeOf(sources), join(sources, 'hack', 'builder', 'main.ts'), kind];
  writeBuilderState({ kind, sources });
  if (kind === 'native') await startBuilderService(command);
  else spawnBuilder(command, sources);
  dropOtherSources(sources);
  return 'started';
}

/** The one of the kept copy; where npm has none for this machine, the one that runs this. */
function nodeOf(sources: string): string {
  const own = join(sources, 'node_modules', '.bin', 'node');
  return existsSync(own) ? own : process.execPath;
}

/** A process group of its own, which outlives this process. */
function spawnBuilder([program = '', ...args]: string[], sources: string): void {
  mkdirSync(dirname(builderLog()), { recursive: true });
  const log = openSync(builderLog(), 'w');
  const child = spawn(program, args, { detached: true, stdio: ['ignore', log, log] });
  child.unref();
  const identity = child.pid === undefined ? undefined : identify(child.pid);
  writeBuilderState({ kind: 'kind', sources, process: identity });
}

/** Ends the builder with all that it started; returns false when none was there. What it has compiled is kept. */
export async function stopBuilder(): Promise<boolean> {
  await stopFormerJob();
  const state = readBuilderState();
  const wasService = await stopBuilderService();
  const wasProcess = state?.process !== undefined && isAlive(state.process);
  if (state?.process && wasProcess) await endGroup(state.process);
  // Of a builder that was killed.
  const { build } = readBuilderState() ?? {};
  if (build && isAlive(build)) await endGroup(build);
  if (state) writeBuilderState({ kind: state.kind, sources: state.sources });
  return wasService || wasProcess;
}

export function isBuilderRunning(): boolean {
  const { process: own } = readBuilderState() ?? {};
  return hasBuilderService() || (own !== undefined && isAlive(own));
}

/** Where the builder's output is. */
export function logOfBuilder(): string {
  return hasBuilderService() ? builderServiceLog : builderLog();
}
