import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { projectRoot } from '../lib/paths.ts';

/** What is done with a page. Who only looks for a browser does without one. */
const pageModule = 'e2e/lib/browserPage.ts';

/** Of the console, and of features. */
export const e2eFolders = ['e2e', ...globSync('features/*/e2e', { cwd: projectRoot }).sort()];

/** The test files directly below folders that open a browser, sorted by name. */
export function browserTests(...folders: string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(projectRoot, folder))
      .filter((name) => name.endsWith('.test.ts') && reaches(`${folder}/${name}`, pageModule))
      .sort(),
  );
}

/** Whether a file imports another one, directly or by further files. Types alone do not count. */
function reaches(file: string, target: string, seen = new Set<string>()): boolean {
  if (file === target) return true;
  if (seen.has(file)) return false;
  seen.add(file);
  const text = readFileSync(join(projectRoot, file), 'utf8');
  const imports = [...text.matchAll(/^(?:import|export) (?!type )[^;]*?from '(\.[^']*\.ts)';/gm)];
  return imports.some(([, path = '']) => reaches(posix.join(posix.dirname(file), path), target, seen));
}
