import { statfsSync } from 'node:fs';
import { canPull } from '../images/pull.ts';
import { cachePath } from '../lib/paths.ts';
import { say } from '../lib/progress.ts';
import { readForeignCluster } from '../up/foreign.ts';
import { builtEngines, type HeavyEngine, heavyEngineNames, ownEngines } from '../up/heavyEngines.ts';
import { startJob } from './job.ts';

/** The sources and the intermediate files of the largest engines. */
const neededBytes = 15e9;

/**
 * Starts to build the engines that are not in the cache, so that networks that wait for them go on by themselves.
 * `ENGINES` selects them as in `make engines`; `none` builds none. By default those with a published image are built only
 * where the cluster cannot pull it. Not for one's own cluster.
 */
export async function beginBackgroundBuild(wanted = process.env.ENGINES): Promise<void> {
  if (readForeignCluster()) return;
  const missing = enginesToBuild(wanted, builtEngines(), await canPull());
  if (missing.length === 0) return;
  const { bavail, bsize } = statfsSync(cachePath());
  if (bavail * bsize < neededBytes) {
    say(`  not built, because ${cachePath()} has less than 15 GB free: ${missing.join(', ')}`);
    return;
  }
  startJob(missing);
  say(`  building in the background, at the lowest priority: ${missing.join(', ')}`);
  say('  `make status` shows how far it is; ENGINES=none make up does without');
}

/** The engines to build, in the order of the table. Names that are not in it are left to `make engines` to refuse. */
export function enginesToBuild(
  wanted: string | undefined,
  built: readonly string[],
  canPullImages = false,
): HeavyEngine[] {
  const names = wanted?.split(/[\s,]+/).filter(Boolean) ?? (canPullImages ? ownEngines : heavyEngineNames);
  return heavyEngineNames.filter((name) => !built.includes(name) && names.some((one) => one === name));
}
