import { randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { errorCode } from './errorCode.ts';
import { identify, isAlive, type ProcessIdentity } from './processes.ts';

interface LockHolder extends ProcessIdentity {
  purpose: string;
}

const RETRY_INTERVAL_MS = 250;

interface Lock {
  /** The lock file. */
  path: string;
  /** What it is held for, for those who wait. */
  purpose: string;
  /** Called once, with a description of the holder, when there is one to wait for. */
  onWait?: (holder: string) => void;
}

/**
 * Runs `work` while holding the lock file, so that two commands on one machine never do the same work at once.
 * Waits while a living process holds the lock. Takes over the lock of a dead process.
 */
export async function withLock<T>(lock: Lock, work: () => Promise<T>): Promise<T> {
  await acquire(lock);
  try {
    return await work();
  } finally {
    rmSync(lock.path, { force: true });
  }
}

async function acquire({ path, purpose, onWait }: Lock): Promise<void> {
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}.${randomUUID()}`;
  writeFileSync(draft, JSON.stringify({ ...identify(process.pid), purpose }));
  try {
    let hasReportedWait = false;
    while (!tryLink(draft, path)) {
      const holder = readHolder(path);
      if (holder && isAlive(holder)) {
        if (!hasReportedWait) onWait?.(`process ${holder.pid} (${holder.purpose})`);
        hasReportedWait = true;
        await delay(RETRY_INTERVAL_MS);
        continue;
      }
      removeStale(path, holder);
    }
  } finally {
    rmSync(draft, { force: true });
  }
}

function tryLink(draft: string, path: string): boolean {
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Moves the stale lock aside; puts it back if another process has taken the lock over in the meantime. A lock that names
 * nobody is stale, too: a file that is written when the machine goes down may be empty afterwards.
 */
function removeStale(path: string, stale: LockHolder | undefined): void {
  const aside = `${path}.stale.${randomUUID()}`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  const moved = readHolder(aside);
  if (moved && moved.pid !== stale?.pid && isAlive(moved)) tryLink(aside, path);
  rmSync(aside, { force: true });
}

function readHolder(path: string): LockHolder | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as LockHolder;
  } catch {
    return undefined;
  }
}
