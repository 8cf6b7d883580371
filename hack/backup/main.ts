import { accessSync, constants, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createKube } from '../../core/kube/client/client.ts';
import type { Kube } from '../../core/kube/kube.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { silentLog } from '../../core/lib/log.ts';
import { projectRoot } from '../lib/paths.ts';
import { UserError } from '../lib/run.ts';
import { releaseNamespace } from '../up/names.ts';
import { collect } from './collect.ts';
import { type Backup, packBackup, unpackBackup } from './contents.ts';
import { checkPassphrase, decryptBackup, encryptBackup, passphraseVariable } from './encryption.ts';
import { backupLines, restoredIds, restoreLines } from './report.ts';
import { restore } from './restore.ts';
import { createVolumeSaver } from './volumes.ts';

const fileName = 'slipway.backup';

/**
 * `node hack/backup/main.ts backup|restore FOLDER`: writes all of Slipway in the cluster of $KUBECONFIG into one encrypted
 * file, or restores it into a new installation.
 */
async function main([action = '', folder = '']: string[]): Promise<void> {
  if (!['backup', 'restore'].includes(action) || folder === '') {
    throw new UserError('Name the folder of the backup: make backup DIR=path, or make restore DIR=path.');
  }
  const passphrase = checkPassphrase(process.env[passphraseVariable]);
  const kube = createKube({ log: silentLog, clock: systemClock, requestTimeoutMs: 60_000 });
  try {
    const work = action === 'backup' ? backUp : bringBack;
    await work(kube, folder, passphrase);
  } finally {
    await kube.close();
  }
}

async function backUp(kube: Kube, folder: string, passphrase: string): Promise<void> {
  const controller = new AbortController();
  const { signal } = controller;
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(name, () =>
      controller.abort(new UserError('The backup was interrupted. No file was written.')),
    );
  const file = join(folder, fileName);
  mkdirSync(folder, { recursive: true });
  const volumes = createVolumeSaver({ kube, say: console.log, signal });
  try {
    const backup = await collect({
      kube,
      namespace: process.env.NS || releaseNamespace,
      version: String(JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')).version),
      saveVolumes: volumes.save,
    });
    signal.throwIfAborted();
    replaceFile(file, encryptBackup(packBackup(backup), passphrase));
    console.log(backupLines(backup, file).join('\n'));
  } catch (error) {
    await volumes.discard();
    throw error;
  }
}

/** The backup before is there until the new one is complete. */
function replaceFile(file: string, content: Buffer): void {
  const part = `${file}.part`;
  rmSync(part, { force: true });
  try {
    writeFileSync(part, content, { mode: 0o600 });
    renameSync(part, file);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}

async function bringBack(kube: Kube, folder: string, passphrase: string): Promise<void> {
  const backup = readBackup(join(folder, fileName), passphrase);
  try {
    accessSync(folder, constants.W_OK);
  } catch {
    throw new UserError(`${folder} cannot be written: a restore leaves ids.json there, with the new ids.`);
  }
  const restored = await restore({ kube, backup, say: console.log });
  const idsFile = join(folder, 'ids.json');
  writeFileSync(idsFile, `${JSON.stringify(restoredIds(restored), undefined, 2)}\n`);
  console.log(restoreLines(restored, idsFile).join('\n'));
}

function readBackup(file: string, passphrase: string): Backup {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch {
    throw new UserError(`There is no backup at ${file}.`);
  }
  return unpackBackup(decryptBackup(bytes, passphrase));
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof UserError ? error.message : error);
  process.exitCode = 1;
});
