import { run } from '../lib/run.ts';
import { fileEntry } from './scratch.ts';
import type { TarEntry } from './tar.ts';

/** The shared libraries and the loader of programs, at the paths where they look for them. */
export async function libraryEntries(...programs: string[]): Promise<TarEntry[]> {
  return parseLdd(await run('ldd', programs)).map((path) => fileEntry(path, path));
}

/** Absolute paths in the output of ldd: `libm.so.6 => /lib/libm.so.6 (0x…)` and `/lib64/ld-linux.so.2 (0x…)`. */
export function parseLdd(output: string): string[] {
  const paths = output.split('\n').map((line) => /(?:=>\s*|^\s*)(\/\S+)\s+\(0x/.exec(line)?.[1]);
  return [...new Set(paths.filter((path) => path !== undefined))].sort();
}
