import { readFileSync, rmSync } from 'node:fs';
import { cachePath } from '../lib/paths.ts';
import { isAlive, type ProcessIdentity } from '../lib/processes.ts';
import { endGroup } from './childBuild.ts';

/**
 * Ends the build of all engines that version 0.3 leaves behind: it would install the chart of its checkout again after each
 * engine.
 */
export async function stopFormerJob(path = cachePath('background.json')): Promise<void> {
  const job = processIn(path);
  if (job && isAlive(job)) await endGroup(job);
  rmSync(path, { force: true });
}

function processIn(path: string): ProcessIdentity | undefined {
  try {
    const { process: found } = JSON.parse(readFileSync(path, 'utf8')) as { process?: ProcessIdentity };
    return found;
  } catch {
    return undefined;
  }
}
