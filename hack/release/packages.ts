import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeNotices } from '../lib/notices.ts';
import { projectRoot } from '../lib/paths.ts';
import { step } from '../lib/progress.ts';
import { run } from '../lib/run.ts';
import { buildCli } from '../up/cli.ts';
import type { Release } from './images.ts';

const releasePackages = ['sdk', 'cli'] as const;
type ReleasePackage = (typeof releasePackages)[number];

/** Packs the SDK and the command line as npm publishes them, and returns the archives in `folder`. */
export async function packPackages(release: Release, folder: string): Promise<string[]> {
  const archives: string[] = [];
  for (const name of releasePackages) {
    archives.push(await step(`packing ${name}`, () => pack(release, name, folder)));
  }
  return archives;
}

async function pack(release: Release, name: ReleasePackage, folder: string): Promise<string> {
  const staged = mkdtempSync(join(tmpdir(), 'slipway-pack-'));
  await builders[name](join(staged, 'dist'));
  const source = join(projectRoot, name);
  cpSync(join(source, 'README.md'), join(staged, 'README.md'));
  cpSync(join(projectRoot, 'LICENSE'), join(staged, 'LICENSE'));
  const manifest = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
  writeFileSync(join(staged, 'package.json'), JSON.stringify({ ...manifest, ...originOf(release, name) }));
  const printed = await run('npm', ['pack', staged, '--json', '--pack-destination', folder], { cwd: folder });
  rmSync(staged, { recursive: true });
  const [{ filename }] = JSON.parse(printed) as [{ filename: string }];
  return join(folder, filename);
}

/** npm compares it with the workflow that publishes, for the provenance. */
function originOf({ repository }: Release, directory: ReleasePackage): object {
  return { repository: { type: 'git', url: `git+https://github.com/${repository}.git`, directory } };
}

/** Makes the folder `dist` of a package. */
const builders: Record<ReleasePackage, (dist: string) => Promise<void>> = {
  async sdk(dist) {
    await run(process.execPath, [join(projectRoot, 'hack', 'buildSdk.ts')]);
    cpSync(join(projectRoot, 'sdk', 'dist'), dist, { recursive: true });
  },
  async cli(dist) {
    const metafile = await buildCli(join(dist, 'slipway.mjs'));
    writeNotices(join(dist, 'licences.txt'), [metafile]);
  },
};
