import { withLock } from '../lib/lock.ts';
import { cachePath } from '../lib/paths.ts';
import { say } from '../lib/progress.ts';
import { buildFamily, isBuilt, toolPath } from './build.ts';
import { catalogue, type ToolName, toolNames } from './catalogue.ts';

/**
 * Ensures that the named programs are in the cache and returns their absolute paths.
 * Builds missing ones from pinned sources and shows the progress, which takes minutes the first time.
 * An interrupted build can be repeated. Throws UserError when Go is missing or a build fails.
 */
export async function ensureTools<Name extends ToolName>(
  names: readonly Name[],
): Promise<Record<Name, string>> {
  if (!names.every(isBuilt)) await buildMissing(names);
  return Object.fromEntries(names.map((name) => [name, toolPath(name)])) as Record<Name, string>;
}

function buildMissing(names: readonly ToolName[]): Promise<void> {
  const onWait = (holder: string) => say(`waiting for ${holder} to finish`);
  return withLock({ path: cachePath('bin.lock'), purpose: 'building tools', onWait }, async () => {
    for (const members of groupByFamily(names.filter((name) => !isBuilt(name))).values()) {
      await buildFamily(members);
    }
  });
}

/** The families in catalogue order, each with its requested tools in the same order. */
export function groupByFamily(names: readonly ToolName[]): Map<string, ToolName[]> {
  return Map.groupBy(
    toolNames.filter((name) => names.includes(name)),
    (name) => catalogue[name].family,
  );
}
