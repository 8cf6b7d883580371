import { chmodSync, copyFileSync, existsSync, readFileSync } from 'node:fs';

/** Copies a program into a build context, unless the same one is there: an unchanged context is not built again. */
export function stageProgram(source: string, target: string): void {
  if (existsSync(target) && readFileSync(source).equals(readFileSync(target))) return;
  copyFileSync(source, target);
  chmodSync(target, 0o755);
}
