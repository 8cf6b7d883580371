import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type ContractPackage, ensurePackages, folderOf } from '../contracts/packages.ts';
import { projectRoot } from '../lib/paths.ts';
import { engineContext } from './engines.ts';

/** The pinned builds of Solidity in the image. */
export const compilerPackages: readonly ContractPackage[] = JSON.parse(
  readFileSync(join(projectRoot, 'engines', 'compilers', 'packages.json'), 'utf8'),
);

const files = ['package.json', 'compilers.js', 'compileChild.js', 'licences.txt'];

/**
 * Stages the compilers and their process, which `npm run build` has bundled, in the build context of their image, and
 * returns it. Throws UserError when a compiler cannot be downloaded.
 */
export async function stageCompilers(): Promise<string> {
  const context = engineContext('compilers');
  const folder = join(context, 'compilers');
  mkdirSync(folder, { recursive: true });
  for (const file of files) {
    copyFileSync(join(projectRoot, 'dist', 'compilers', file), join(context, file));
  }
  const staged = new Set<string>();
  for (const one of compilerPackages) {
    // One at a time: each is many megabytes.
    await ensurePackages([one]);
    const name = `solc-${one.version}.js.gz`;
    staged.add(name);
    stage(one, join(folder, name));
  }
  for (const name of readdirSync(folder)) if (!staged.has(name)) rmSync(join(folder, name));
  return context;
}

/** A version is never published twice. */
function stage(one: ContractPackage, target: string): void {
  if (existsSync(target)) return;
  const text = readFileSync(join(folderOf(one), 'package', 'soljson.js'));
  writeFileSync(target, gzipSync(text));
}
