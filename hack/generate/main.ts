import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Artefact, artefacts } from './artefacts.ts';

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

/** Writes files that are out of date; with `--check` it only names them and fails. */
async function main(isCheck: boolean): Promise<number> {
  const all = artefacts();
  const states = await Promise.all(all.map(isCurrent));
  const stale = all.filter((_artefact, index) => !states[index]);
  if (!isCheck) {
    for (const artefact of stale) await write(artefact);
    return 0;
  }
  for (const { path } of stale) console.error(`not up to date: ${path} (run "make generate")`);
  return stale.length === 0 ? 0 : 1;
}

process.exitCode = await main(process.argv.includes('--check'));
