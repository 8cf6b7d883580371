import { cpSync, globSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectRoot } from '../lib/paths.ts';
import { contractPackages, ensurePackages, folderOf } from './packages.ts';

/** The licences of what is in the service image. */
export const licencesFolder = join(projectRoot, 'dist', 'service', 'licences');

/** Where packages have their licences and grants. Those of some have none. */
const patterns = ['LICENSE*', 'licenses/*', 'contracts/LICENSE*', 'contracts/*License-grants*'];

/** The folder of a package's licences, by its name. */
export function licenceFolder(name: string): string {
  return join(licencesFolder, name.replace(/^@/, '').replace('/', '-'));
}

/** Copies the licences of the packages whose contracts are in the image: some want their text on every copy. */
export async function copyLicences(): Promise<void> {
  await ensurePackages(contractPackages);
  mkdirSync(licencesFolder, { recursive: true });
  for (const one of contractPackages) {
    const source = join(folderOf(one), 'package');
    for (const file of globSync(patterns, { cwd: source })) {
      const target = join(licenceFolder(`${one.name}-${one.version}`), file);
      mkdirSync(dirname(target), { recursive: true });
      cpSync(join(source, file), target);
    }
  }
}
