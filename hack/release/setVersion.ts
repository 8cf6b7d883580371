import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../lib/paths.ts';
import { sectionOf } from './changelog.ts';
import { releasedChangelog, versionPlaces, withVersion } from './version.ts';

/** `node hack/release/setVersion.ts X.Y.Z`: writes the version everywhere, and moves what is unreleased under it. */
function main([version = '']: string[]): void {
  if (!/^\d+\.\d+\.\d+$/.test(version))
    throw new Error('name the version: node hack/release/setVersion.ts 1.2.3');
  for (const place of versionPlaces) {
    change(place.file, (text) => withVersion(place, text, version));
  }
  change('CHANGELOG.md', (text) =>
    sectionOf(text, version) === undefined ? releasedChangelog(text, version) : text,
  );
}

function change(file: string, edit: (text: string) => string): void {
  const path = join(projectRoot, file);
  writeFileSync(path, edit(readFileSync(path, 'utf8')));
}

main(process.argv.slice(2));
