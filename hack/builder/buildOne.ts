import { statfsSync } from 'node:fs';
import { cachePath } from '../lib/paths.ts';
import { UserError } from '../lib/run.ts';
import { buildEngines, isHeavyEngine } from '../up/heavyEngines.ts';
import { archivesOf, buildHeavyImages } from '../up/images.ts';
import type { Answer } from './childBuild.ts';
import { availableEntry } from './entries.ts';
import { localCluster } from './local.ts';

/** The sources and the intermediate files of a large engine. */
const neededBytes = 6e9;

/**
 * `node hack/builder/buildOne.ts native|kind ENGINE`: builds an engine's image, loads it into the cluster and answers with its
 * entry. A process of its own, so that all of a build ends with it.
 */
async function main([kind, engine]: string[]): Promise<Answer> {
  if ((kind !== 'native' && kind !== 'kind') || engine === undefined || !isHeavyEngine(engine))
    throw new UserError('usage: node hack/builder/buildOne.ts native|kind ENGINE');
  const { bavail, bsize } = statfsSync(cachePath());
  if (bavail * bsize < neededBytes) throw new UserError(`${cachePath()} has less than 6 GB free: make room`);
  await buildEngines([engine]);
  const images = await buildHeavyImages([engine]);
  await localCluster(kind).loadImages(archivesOf(Object.values(images)));
  const image = images[engine];
  if (!image) throw new Error(`${engine} has no image`);
  return { entry: availableEntry(engine, image) };
}

// The builder was killed: nobody would take the answer.
process.once('disconnect', () => process.kill(-process.pid, 'SIGTERM'));

const answer = await main(process.argv.slice(2)).catch((error: unknown): Answer => {
  const reason = error instanceof Error ? error.message : String(error);
  console.error(reason);
  return { error: reason };
});
process.send?.(answer, () => process.exit());
