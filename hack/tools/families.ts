import { join } from 'node:path';
import { projectRoot } from '../lib/paths.ts';

/** The folder of a family's sources. */
export function familyFolder(family: string): string {
  return family.startsWith('engines/') ? join(projectRoot, family) : join(import.meta.dirname, family);
}
