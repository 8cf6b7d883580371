import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createKube } from '../../core/kube/client/client.ts';
import type { Kube } from '../../core/kube/kube.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { isAppError } from '../../core/lib/errors.ts';
import { silentLog } from '../../core/lib/log.ts';
import { projectRoot } from '../lib/paths.ts';
import { UserError } from '../lib/run.ts';
import { releaseNamespace } from '../up/names.ts';
import { collect } from './collect.ts';
import { type Backup, packBackup, unpackBackup } from './contents.ts';
import { checkPassphrase, decryptBackup, encryptBackup, passphraseVariable } from './encryption.ts';
import type { AnyObject } from './kinds.ts';
import { wavesOf } from './links.ts';
import { fatesOf } from './networks.ts';
import { type Restored, restore } from './restore.ts';
import { createVolumeSaver } from './volumes.ts';

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
    await work(kube, join(folder, 'slipway.backup'), passphrase);
  } finally {
    await kube.close();
  }
}

async function backUp(kube: Kube, file: string, passphrase: string): Promise<void> {
  const controller = new AbortController();
  const interrupt = () => controller.abort(new UserError('The backup was interrupted. No file was written.'));
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, interrupt);
  mkdirSync(dirname(file), { recursive: true });
  const volumes = createVolumeSaver({ kube, say: console.log, signal: controller.signal });
  const part = `${file}.part`;
  try {
    const backup = await collect({
      kube,
      namespace: process.env.NS || releaseNamespace,
      version: String(JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')).version),
      saveVolumes: volumes.save,
    });
    controller.signal.throwIfAborted();
    // The backup before is there until the new one is complete.
    rmSync(part, { force: true });
    writeFileSync(part, encryptBackup(packBackup(backup), passphrase), { mode: 0o600 });
    renameSync(part, file);
    console.log(backupLines(backup, file).join('\n'));
  } catch (error) {
    rmSync(part, { force: true });
    await volumes.discard();
    throw error;
  }
}

async function bringBack(kube: Kube, file: string, passphrase: string): Promise<void> {
  if (!existsSync(file)) throw new UserError(`There is no backup at ${file}.`);
  const backup = unpackBackup(decryptBackup(readFileSync(file), passphrase));
  const takesOver = ['yes', 'true', '1'].includes(process.env.TAKE_OVER ?? '');
  console.log(restoreLines(await restore({ kube, backup, say: console.log, takesOver })).join('\n'));
}

/** What was backed up, and what a restore will not bring back. */
function backupLines({ objects: all, volumes }: Backup, file: string): string[] {
  const objects = wavesOf(all).waves.flat();
  return [
    ...objectLines({ objects, fates: fatesOf(objects, volumes) }),
    `written to ${file}`,
    'It holds the master keys and every other key of the installation, encrypted with BACKUP_PASSPHRASE.',
    'Whoever has both can read every secret. Keep them apart, and off this cluster.',
  ];
}

/** What was restored, and what is different from before. */
function restoreLines(restored: Restored): string[] {
  const reason = 'not restored, because it or its owner was being deleted';
  return [
    ...objectLines(restored),
    ...restored.left.map((one) => `${reason}: ${one.kind} ${placeOf(one)}`),
    'API keys are those of the backup. On the native node and kind, `make up` writes .slipway/env again.',
  ];
}

function objectLines({ objects, fates }: Pick<Restored, 'objects' | 'fates'>): string[] {
  const networks = Map.groupBy(objects, ({ metadata }) => fates.get(metadata.uid));
  const kept = networks.get('kept');
  const lost = networks.get('new chain');
  return [
    `${objects.length} objects`,
    ...(kept ? [`networks that run on from their volumes: ${kept.map(placeOf).join(', ')}`] : []),
    ...(lost ? [`networks that come back with a new chain: ${lost.map(placeOf).join(', ')}`] : []),
  ];
}

const placeOf = ({ metadata }: AnyObject) => `${metadata.namespace}/${metadata.name}`;

main(process.argv.slice(2)).catch((error: unknown) => {
  const isKnown = error instanceof UserError || isAppError(error);
  console.error(isKnown ? error.message : error);
  process.exitCode = 1;
});
