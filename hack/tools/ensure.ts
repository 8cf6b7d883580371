import { withLock } from '../lib/lock.ts';
import { cachePath } from '../lib/paths.ts';
import { say, step } from '../lib/progress.ts';
import { buildTool, downloadTool, isBuilt, toolPath } from './build.ts';
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
  const toBuild = await downloadAll(missing);
  const fetching = fetchAhead(toBuild);
  for (const name of toBuild) await locked(name, () => buildTool(name));
  await fetching;
  return Object.fromEntries(names.map((name) => [name, toolPath(name)])) as Record<Name, string>;
}

/** Returns those that cannot be downloaded, in the order in which they are built, each after what it is linked in. */
async function downloadAll(names: readonly ToolName[]): Promise<ToolName[]> {
  const published = names.filter((name) => 'download' in catalogue[name]);
  const get = () => Promise.all(published.map((name) => locked(name, () => downloadTool(name))));
  if (published.length > 0) await step(`looking for releases of ${published.join(', ')}`, get);
  const left = names.filter((name) => !isBuilt(name));
  const linkers = left.flatMap((name) => linkerOf(catalogue[name]) ?? []);
  return inOrder([...linkers, ...left]).filter((name) => !isBuilt(name));
}

function linkerOf(tool: Tool): ToolName | undefined {
  return 'linkedIn' in tool ? tool.linkedIn : undefined;
}

/** Downloads what builds of other families need while the first one compiles. */
async function fetchAhead([first, ...later]: readonly ToolName[]): Promise<void> {
  const families = new Set(first ? [catalogue[first].family] : []);
  for (const name of later) {
    const tool: Tool = catalogue[name];
    if (!('goPackage' in tool) || tool.isPlain || families.has(tool.family)) continue;
    families.add(tool.family);
    await fetchModules(tool);
  }
}

/** Each tool has a lock of its own, so that nobody waits for the long build of another one. */
function locked(name: ToolName, make: () => Promise<unknown>): Promise<void> {
  const onWait = (holder: string) => say(`waiting for ${holder} to finish`);
  const lock = { path: cachePath('bin', `${name}.lock`), purpose: `building ${name}`, onWait };
  return withLock(lock, async () => {
    if (!isBuilt(name)) await make();
  });
}

/** In the order of the catalogue, in which the tools of a family, which share packages, follow each other. */
export function inOrder(names: readonly ToolName[]): ToolName[] {
  return toolNames.filter((name) => names.includes(name));
}
