import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../../core/lib/errors.ts';

/** The compilers in the image. */
export interface Shelf {
  /** The file of a compiler and the commit that the name asks for; NotFound names the versions that are there. */
  find(name: string): { file: string; commit: string };
}

const filePattern = /^solc-(\d+\.\d+\.\d+)\.js\.gz$/;
/** `v0.8.28+commit.7893614a.Emscripten.clang`: everything but the version may be missing. */
const namePattern = /^v?(\d{1,3}\.\d{1,3}\.\d{1,3})(?:\+commit\.([0-9a-f]{8}))?(?:\.[A-Za-z0-9.+_-]{1,64})?$/;

/** Reads a folder with files such as `solc-0.8.28.js.gz`. */
export function openShelf(folder: string): Shelf {
  const files = new Map(
    readdirSync(folder).flatMap((name): [string, string][] => {
      const version = filePattern.exec(name)?.[1];
      return version === undefined ? [] : [[version, join(folder, name)]];
    }),
  );
  const versions = [...files.keys()].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  return {
    find(name) {
      const [, version = '', commit = ''] = namePattern.exec(name) ?? [];
      const file = files.get(version);
      if (file !== undefined) return { file, commit };
      const held = versions.length === 0 ? 'none' : `Solidity ${versions.join(', ')}`;
      throw new AppError(
        'NotFound',
        `the installation has no compiler ${name.slice(0, 100)}; it has: ${held}`,
      );
    },
  };
}
