import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Artefact } from './artefacts.ts';
import { registryFiles } from './registry.ts';

const root = join(import.meta.dirname, '../..');

async function isCurrent({ path, text }: Artefact): Promise<boolean> {
  const present = await readFile(join(root, path), 'utf8').catch(() => undefined);
  return present === text;
}

async function write({ path, text }: Artefact): Promise<void> {
  const file = join(root, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  console.log(`written: ${path}`);
}

/** Writes files that are out of date; with `isCheck` it only names them. Answers how many there are. */
async function update(all: readonly Artefact[], isCheck: boolean): Promise<number> {
  const states = await Promise.all(all.map(isCurrent));
  const stale = all.filter((_artefact, index) => !states[index]);
  for (const artefact of stale) {
    if (isCheck) console.error(`not up to date: ${artefact.path} (run "make generate")`);
    else await write(artefact);
  }
  return stale.length;
}

/** Folders in which every file is generated. */
const ownFolders = ['crds', 'charts/slipway/templates/crds', 'sdk/src/generated'];

/** Removes what is not generated any more, or only names it. Answers how many files there are. */
async function removeOthers(all: readonly Artefact[], isCheck: boolean): Promise<number> {
  const present = await Promise.all(
    ownFolders.map(async (folder) => (await readdir(join(root, folder))).map((name) => `${folder}/${name}`)),
  );
  const others = present.flat().filter((path) => !all.some((artefact) => artefact.path === path));
  for (const path of others) {
    if (isCheck) console.error(`not generated any more: ${path} (run "make generate")`);
    else await rm(join(root, path));
  }
  return others.length;
}

/** With `--check` nothing is written, and it fails when a file is out of date. */
async function main(isCheck: boolean): Promise<number> {
  const stale = await update(registryFiles(), isCheck);
  // What follows imports the registries: of those on disk, a wrong one may name a feature that is gone.
  if (isCheck && stale > 0) return 1;
  const { artefacts } = await import('./artefacts.ts');
  const all = artefacts();
  const changes = (await update(all, isCheck)) + (await removeOthers(all, isCheck));
  return isCheck && changes > 0 ? 1 : 0;
}

process.exitCode = await main(process.argv.includes('--check'));
