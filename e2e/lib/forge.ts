import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
const folder = join(root, 'e2e', 'forge');

const solcVersion = '0.8.28';

/**
 * Runs forge in the project e2e/forge and returns what it prints, and its code. It finds the compiler of this project
 * where it keeps those that it has downloaded.
 */
export function runForge(args: string[]): Promise<{ code: number; output: string }> {
  const scratch = mkdtempSync(join(tmpdir(), 'slipway-forge-'));
  const env = {
    PATH: `${join(root, 'node_modules', '.bin')}:/usr/bin:/bin`,
    HOME: scratch,
    FOUNDRY_OFFLINE: 'true',
    FOUNDRY_CACHE_PATH: join(scratch, 'cache'),
    FOUNDRY_OUT: join(scratch, 'out'),
  };
  const installed = join(scratch, '.svm', solcVersion, `solc-${solcVersion}`);
  mkdirSync(dirname(installed), { recursive: true });
  writeFileSync(installed, `#!/bin/sh\nexec '${join(folder, 'solc.sh')}' "$@"\n`);
  chmodSync(installed, 0o755);
  return new Promise((resolve) => {
    execFile(
      'forge',
      [...args.slice(0, 1), '--root', folder, ...args.slice(1)],
      { cwd: folder, env, timeout: 240_000 },
      (error, stdout, stderr) => {
        rmSync(scratch, { recursive: true, force: true });
        resolve({ code: error ? Number(error.code ?? 1) : 0, output: `${stdout}\n${stderr}` });
      },
    );
  });
}
