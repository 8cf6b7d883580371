import { run } from '../lib/run.ts';
import { fileEntry } from './scratch.ts';
import type { TarEntry } from './tar.ts';

/** A program's shared libraries and its loader, at the paths where the program looks for them. */
export async function libraryEntries(program: string): Promise<TarEntry[]> {
  return parseLdd(await run('ldd', [program])).map((path) => fileEntry(path, path));
}

/** Absolute paths in the output of ldd: `libm.so.6 => /lib/libm.so.6 (0x…)` and `/lib64/ld-linux.so.2 (0x…)`. */
export function parseLdd(output: string): string[] {
  const paths = output.split('\n').map((line) => /(?:=>\s*|^\s*)(\/\S+)\s+\(0x/.exec(line)?.[1]);
  return [...new Set(paths.filter((path) => path !== undefined))].sort();
}
