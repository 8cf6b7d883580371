import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './lib/paths.ts';
import { sectionOf } from './release/changelog.ts';

const read = (file: string) => readFileSync(join(projectRoot, file), 'utf8');

/** `node hack/releaseNotes.ts [VERSION]`: prints what CHANGELOG.md says about a version, by default this checkout's. */
const version = process.argv[2] || String(JSON.parse(read('package.json')).version);
const notes = sectionOf(read('CHANGELOG.md'), version);
if (notes === undefined) {
  console.error(`CHANGELOG.md says nothing about ${version}: add a section "## ${version}"`);
  process.exitCode = 1;
} else {
  console.log(notes);
}
