import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ShareOf } from '../core/accounts/shares/shares.ts';
import { readWorkspaceShares, workspaceSharesFile } from '../core/accounts/shares/workspaceShares.ts';
import type { Clock } from '../core/lib/clock.ts';
import { messageOf } from '../core/lib/errors.ts';
import type { Log } from '../core/lib/log.ts';

/** Which workspaces have one owner, as the operator wrote it last. */
export interface SharesFile {
  of: ShareOf;
  stop(): void;
}

interface Options {
  folder: string;
  clock: Pick<Clock, 'after'>;
  log: Log;
}

/** The kubelet needs a minute for a new version of the object. */
const checkMs = 10_000;

/**
 * Follows the file of shares, which the operator writes later than this process may start. Until it is there, each workspace has a share
 * of its own; while it cannot be read, what was read last counts. It is polled, because a mounted object is
 * renewed by replacing a symlink, which watches do not see everywhere.
 */
export function followSharesFile({ folder, clock, log }: Options): SharesFile {
  const path = join(folder, workspaceSharesFile);
  let text = '{}';
  let current = readWorkspaceShares(text);
  let isStopped = false;
  let cancel = () => {};

  async function check(): Promise<void> {
    try {
      const found = await readFile(path, 'utf8');
      if (found !== text) current = readWorkspaceShares(found);
      text = found;
    } catch (error) {
      if (!isMissing(error))
        log.warn('cannot read which workspaces have one owner', { path, reason: messageOf(error) });
    }
    if (!isStopped) cancel = clock.after(checkMs, check);
  }

  void check();
  return {
    of: (namespace) => current(namespace),
    stop() {
      isStopped = true;
      cancel();
    },
  };
}

const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT';
