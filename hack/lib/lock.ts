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
 * Runs `work` while holding the lock, so that two runs on one machine never do the same at once.
 * Waits while a living process holds it. The lock of a dead process is taken over.
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
    let hasToldWaiting = false;
    while (!tryLink(draft, path)) {
      const holder = readHolder(path);
      if (holder && isAlive(holder)) {
        if (!hasToldWaiting) onWait?.(`process ${holder.pid} (${holder.purpose})`);
        hasToldWaiting = true;
        await delay(RETRY_INTERVAL_MS);
        continue;
      }
      if (holder) removeStale(path, holder);
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

/** Moves the stale lock aside; when another process was quicker and the moved one is alive, puts it back. */
function removeStale(path: string, stale: LockHolder): void {
  const aside = `${path}.stale.${randomUUID()}`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  const moved = readHolder(aside);
  if (moved && moved.pid !== stale.pid && isAlive(moved)) tryLink(aside, path);
  rmSync(aside, { force: true });
}

function readHolder(path: string): LockHolder | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as LockHolder;
  } catch {
    return undefined;
  }
}
