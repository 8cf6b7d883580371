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

/**
 * Runs `work` while holding the lock file `path`, so that two commands on one machine never do the same work at once.
 * Waits while a living process holds the lock and calls `onWait` once with a description of that process.
 * Takes over the lock of a dead process.
 */
export async function withLock<T>(
  path: string,
  purpose: string,
  work: () => Promise<T>,
  onWait: (holder: string) => void = () => undefined,
): Promise<T> {
  await acquire(path, purpose, onWait);
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

async function acquire(path: string, purpose: string, onWait: (holder: string) => void): Promise<void> {
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}.${randomUUID()}`;
  writeFileSync(draft, JSON.stringify({ ...identify(process.pid), purpose }));
  try {
    let hasReportedWait = false;
    while (!tryLink(draft, path)) {
      const holder = readHolder(path);
      if (holder && isAlive(holder)) {
        if (!hasReportedWait) onWait(`process ${holder.pid} (${holder.purpose})`);
        hasReportedWait = true;
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

/** Moves the stale lock aside; puts it back if another process has taken the lock over in the meantime. */
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
