import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { errorCode } from './errorCode.ts';

/** Identifies a process unambiguously, even if its PID is reused later. */
export interface ProcessIdentity {
  pid: number;
  /** The start time in clock ticks since boot; empty on systems without /proc. */
  startTicks: string;
}

const START_TIME_FIELD = 22;

/** The identity of the running process `pid`; undefined when there is none. */
export function identify(pid: number): ProcessIdentity | undefined {
  if (!isRunning(pid)) return undefined;
  return { pid, startTicks: readStat(pid)?.startTicks ?? '' };
}

/** True while exactly this process is running; a zombie does not count. */
export function isAlive(identity: ProcessIdentity): boolean {
  if (!isRunning(identity.pid)) return false;
  const stat = readStat(identity.pid);
  if (!stat) return process.platform !== 'linux';
  return stat.state !== 'Z' && stat.startTicks === identity.startTicks;
}

/** Asks a process to stop and kills it after `graceMs`. Does nothing when it has already exited. */
export async function stopProcess(identity: ProcessIdentity, graceMs = 5000): Promise<void> {
  if (!isAlive(identity)) return;
  signal(identity, 'SIGCONT');
  signal(identity, 'SIGTERM');
  if (await hasEndedWithin(identity, graceMs)) return;
  signal(identity, 'SIGKILL');
  await hasEndedWithin(identity, graceMs);
}

/** Sends a signal to exactly this process; returns false when it has exited. */
export function signal(identity: ProcessIdentity, name: NodeJS.Signals): boolean {
  if (!isAlive(identity)) return false;
  try {
    return process.kill(identity.pid, name);
  } catch {
    return false;
  }
}

async function hasEndedWithin(identity: ProcessIdentity, limitMs: number): Promise<boolean> {
  const deadlineMs = Date.now() + limitMs;
  while (isAlive(identity)) {
    if (Date.now() > deadlineMs) return false;
    await delay(20);
  }
  return true;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

/** /proc/PID/stat: the second field is the name in parentheses and may contain spaces (proc(5)). */
function readStat(pid: number): { state: string; startTicks: string } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', startTicks: fields[START_TIME_FIELD - 3] ?? '' };
  } catch {
    return undefined;
  }
}
