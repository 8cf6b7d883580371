import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../lib/paths.ts';

const file = join(projectRoot, '.slipway', 'foreign-cluster');

/** Records whether the service runs on the user's own cluster; there, `make down` removes only the service. */
export function noteForeignCluster(isForeign: boolean, kubeconfig: string): void {
  rmSync(file, { force: true });
  if (!isForeign) return;
  mkdirSync(join(projectRoot, '.slipway'), { recursive: true });
  writeFileSync(file, kubeconfig);
}

/** The kubeconfig of the user's own cluster; undefined when the service does not run on one. */
export function readForeignCluster(): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
