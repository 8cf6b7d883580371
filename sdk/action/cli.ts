import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Runner } from './runner.ts';
import { version } from './version.ts';

/** The command line that was released together with this action. */
export const cliPackage = `@slipway/cli@${version}`;

/** Puts `slipway` on the PATH of later steps. */
export async function installCli(runner: Runner, temporaryFolder: string): Promise<void> {
  const folder = join(temporaryFolder, 'slipway-cli');
  await npm(['install', '--prefix', folder, '--no-audit', '--no-fund', '--loglevel=error', cliPackage]);
  runner.addPath(join(folder, 'node_modules', '.bin'));
  runner.info(`installed ${cliPackage}`);
}

/** Windows starts npm by a shell alone; no argument has characters that mean something to it. */
function npm(args: string[]): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const child = spawn('npm', args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  });
  child.once('error', reject);
  child.once('close', (code) => {
    if (code === 0) resolve();
    else reject(new Error(`install-cli: npm could not install ${cliPackage}`));
  });
  return promise;
}
