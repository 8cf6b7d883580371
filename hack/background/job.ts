import { spawn } from 'node:child_process';
import { mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { cachePath } from '../lib/paths.ts';
import { identify, isAlive, type ProcessIdentity } from '../lib/processes.ts';
import type { HeavyEngine } from '../up/heavyEngines.ts';

/** The background build of engines. There is one for the machine, because all checkouts share the cache. */
export interface JobState {
  process: ProcessIdentity;
  /** What it is building, and since when, as ISO 8601. */
  building?: { engine: string; since: string } | undefined;
  /** In the order in which they are built. */
  waiting: readonly string[];
  built: readonly string[];
  failed: Readonly<Record<string, string>>;
}

const stateFile = cachePath('background.json');
/** What the background build printed. */
export const jobLog = cachePath('logs', 'background.log');

/** The state of the last job, and whether it still runs; undefined when there was none. */
export function readJob(path = stateFile): (JobState & { isRunning: boolean }) | undefined {
  try {
    const state = JSON.parse(readFileSync(path, 'utf8')) as JobState;
    return { ...state, isRunning: isAlive(state.process) };
  } catch {
    return undefined;
  }
}

/** Readers never see half a file. */
export function writeJob(state: JobState, path = stateFile): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.tmp`, JSON.stringify(state));
  renameSync(`${path}.tmp`, path);
}

/** Starts the job as a process group of its own, which outlives this process. */
export function startJob(engines: readonly HeavyEngine[]): void {
  mkdirSync(dirname(jobLog), { recursive: true });
  const log = openSync(jobLog, 'w');
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), ...engines], {
    detached: true,
    stdio: ['ignore', log, log],
  });
  child.unref();
  const identity = child.pid === undefined ? undefined : identify(child.pid);
  if (identity) writeJob({ process: identity, waiting: engines, built: [], failed: {} });
}

const graceMs = 3000;

/** Ends the job with all that it started; returns false when none was running. The next one goes on where this one ended. */
export async function stopJob(path = stateFile): Promise<boolean> {
  const job = readJob(path);
  if (!job?.isRunning) return false;
  signalGroup(job.process, 'SIGTERM');
  const deadlineMs = Date.now() + graceMs;
  while (isAlive(job.process) && Date.now() < deadlineMs) await delay(20);
  signalGroup(job.process, 'SIGKILL');
  rmSync(path, { force: true });
  return true;
}

function signalGroup({ pid }: ProcessIdentity, name: NodeJS.Signals): void {
  try {
    process.kill(-pid, name);
  } catch {
    // All of them have ended.
  }
}
