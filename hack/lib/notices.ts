import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { projectRoot } from './paths.ts';

/** Writes the licences of the packages whose code is in bundles: most of them want to be in every copy. */
export function writeNotices(file: string, metafiles: readonly Metafile[]): void {
  writeFileSync(file, packagesIn(metafiles).map(noticeOf).join('\n'));
}

/** The folders of the packages, from the root of the checkout. */
function packagesIn(metafiles: readonly Metafile[]): string[] {
  const inputs = metafiles
    .flatMap(({ outputs }) => Object.values(outputs))
    .flatMap((one) => Object.keys(one.inputs));
  const folders = inputs.map((path) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]);
  return [...new Set(folders.filter((folder) => folder !== undefined))].sort();
}

function noticeOf(folder: string): string {
  const root = join(projectRoot, folder);
  const { name, version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const files = globSync(['LICENSE*', 'LICENCE*', 'license*', 'COPYING*', 'NOTICE*'], { cwd: root }).sort();
  const texts = [...new Set(files)].map((file) => readFileSync(join(root, file), 'utf8').trim());
  return [`${name} ${version} (${license})`, ...texts, ''].join('\n\n');
}
