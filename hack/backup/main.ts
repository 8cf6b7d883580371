import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NamespacedMeta } from '../../core/api/resources/kubeObject.ts';
import { createKube } from '../../core/kube/client/client.ts';
import type { Kube } from '../../core/kube/kube.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { isAppError } from '../../core/lib/errors.ts';
import { silentLog } from '../../core/lib/log.ts';
import { UserError } from '../lib/run.ts';
import { releaseNamespace } from '../up/names.ts';
import { type Backup, collect } from './collect.ts';
import { checkPassphrase, packBackup, passphraseVariable, unpackBackup } from './file.ts';
import { type Fates, fatesOf } from './networks.ts';
import type { AnyObject } from './objects.ts';
import { restore } from './restore.ts';
import { discardSnapshots } from './volumes.ts';

const say = console.log;

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

const fileIn = (folder: string) => join(folder, 'slipway.backup');

async function backUp(kube: Kube, folder: string, passphrase: string): Promise<void> {
  const controller = new AbortController();
  const interrupt = () => controller.abort(new UserError('The backup was interrupted. No file was written.'));
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, interrupt);
  mkdirSync(folder, { recursive: true });
  const part = `${fileIn(folder)}.part`;
  const taken: NamespacedMeta[] = [];
  try {
    const { signal } = controller;
    const backup = await collect(process.env.NS || releaseNamespace, { kube, say, signal, taken });
    signal.throwIfAborted();
    // The backup before is there until the new one is complete.
    writeFileSync(part, packBackup(backup, passphrase), { mode: 0o600 });
    renameSync(part, fileIn(folder));
    report(backup, fatesOf(backup, new Set(backup.volumes.map(({ driver }) => driver))));
  } catch (error) {
    rmSync(part, { force: true });
    await discardSnapshots({ kube, say, taken });
    throw error;
  }
  say(`written to ${fileIn(folder)}`);
  say(
    `It holds the master keys and every other key of the installation, encrypted with ${passphraseVariable}.`,
  );
  say('Whoever has both can read every secret. Keep them apart, and off this cluster.');
}

async function bringBack(kube: Kube, folder: string, passphrase: string): Promise<void> {
  const file = fileIn(folder);
  if (!existsSync(file)) throw new UserError(`There is no backup at ${file}.`);
  const backup = unpackBackup(readFileSync(file), passphrase);
  const takesOver = ['yes', 'true', '1'].includes(process.env.TAKE_OVER ?? '');
  report(backup, await restore({ kube, backup, say, takesOver }));
  say('API keys are those of the backup. On the native node and kind, `make up` writes .slipway/env again.');
}

/** What is in a backup or was restored, and which chains begin again. */
function report({ objects }: Backup, fates: Fates): void {
  const networks = Map.groupBy(objects, ({ metadata }) => fates.get(metadata.uid));
  const kept = networks.get('kept');
  const lost = networks.get('new chain');
  say(`${objects.length} objects`);
  if (kept) say(`networks that run on from their volumes: ${kept.map(placeOf).join(', ')}`);
  if (lost) say(`networks that come back with a new chain: ${lost.map(placeOf).join(', ')}`);
}

const placeOf = ({ metadata }: AnyObject) => `${metadata.namespace}/${metadata.name}`;

main(process.argv.slice(2)).catch((error: unknown) => {
  const isKnown = error instanceof UserError || isAppError(error);
  console.error(isKnown ? error.message : error);
  process.exitCode = 1;
});
