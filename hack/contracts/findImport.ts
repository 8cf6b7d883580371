import { readFileSync } from 'node:fs';
import type { FindImport } from './compile.ts';
import { importedFile } from './packages.ts';

/** Imports consist of a package name and a path; the compiler has already resolved relative ones. */
export const findImport: FindImport = (path) => {
  const file = importedFile(path);
  if (file === undefined) return { error: `${path} does not belong to a package in packages.json` };
  try {
    return { contents: readFileSync(file, 'utf8') };
  } catch (error) {
    return { error: String(error) };
  }
};
