import { withLock } from '../lib/lock.ts';
import { cachePath } from '../lib/paths.ts';
import { say } from '../lib/progress.ts';
import { buildTool, isBuilt, toolPath } from './build.ts';
import { requireCargo } from './cargo.ts';
import { catalogue, type Tool, type ToolName, toolNames } from './catalogue.ts';
import { fetchModules } from './go.ts';

/**
 * Ensures that the named programs are in the cache and returns their absolute paths.
 * Downloads missing ones, or builds them from pinned sources, and shows the progress, which takes minutes the first time.
 * An interrupted build can be repeated. Throws UserError when Go is missing or a build fails.
 */
export async function ensureTools<Name extends ToolName>(
  names: readonly Name[],
): Promise<Record<Name, string>> {
  const missing = inOrder(names).filter((name) => !isBuilt(name));
  for (const name of missing) {
    const tool: Tool = catalogue[name];
    // Before the others are built, which can take long.
    if ('crate' in tool) await requireCargo(name, tool);
  }
  const fetching = fetchAhead(missing);
  for (const name of missing) await buildLocked(name);
  await fetching;
  return Object.fromEntries(names.map((name) => [name, toolPath(name)])) as Record<Name, string>;
}

/** Downloads what builds of other families need while the first one compiles. What can be downloaded itself is not built. */
async function fetchAhead([first, ...later]: readonly ToolName[]): Promise<void> {
  const families = new Set(first ? [catalogue[first].family] : []);
  for (const name of later) {
    const tool: Tool = catalogue[name];
    if (!('goPackage' in tool) || tool.download || tool.isPlain || families.has(tool.family)) continue;
    families.add(tool.family);
    await fetchModules(tool);
  }
}

/** Each tool has a lock of its own, so that nobody waits for the long build of another one. */
function buildLocked(name: ToolName): Promise<void> {
  const onWait = (holder: string) => say(`waiting for ${holder} to finish`);
  const lock = { path: cachePath('bin', `${name}.lock`), purpose: `building ${name}`, onWait };
  return withLock(lock, async () => {
    if (!isBuilt(name)) await buildTool(name);
  });
}

/** In the order of the catalogue, in which the tools of a family, which share packages, follow each other. */
export function inOrder(names: readonly ToolName[]): ToolName[] {
  return toolNames.filter((name) => names.includes(name));
}
