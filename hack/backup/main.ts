import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NamespacedMeta } from '../../core/api/resources/kubeObject.ts';
import { createKube } from '../../core/kube/client/client.ts';
import type { Kube } from '../../core/kube/kube.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { silentLog } from '../../core/lib/log.ts';
import { runProgram } from '../lib/program.ts';
import { UserError } from '../lib/run.ts';
import { writeWhole } from '../lib/wholeFile.ts';
import { releaseNamespace } from '../up/names.ts';
import { type Backup, collect } from './collect.ts';
import { checkPassphrase, packBackup, passphraseVariable, unpackBackup } from './file.ts';
import { type Fates, fatesOf } from './networks.ts';
import { type AnyObject, placeOf } from './objects.ts';
import { restore } from './restore.ts';
import { discardSnapshots } from './volumes.ts';

const say = console.log;

/**
 * `node hack/backup/main.ts backup|restore FOLDER`: writes all of Slipway in the cluster of $KUBECONFIG into one encrypted
 * file, or restores it before the chart is installed.
 */
async function main([action = '', folder = '']: string[]): Promise<void> {
  if (!['backup', 'restore'].includes(action) || folder === '') {
    throw new UserError('Name the folder of the backup: make backup DIR=path, or make restore DIR=path.');
  }
  const passphrase = checkPassphrase(process.env[passphraseVariable]);
  const kube = createKube({ log: silentLog, clock: systemClock, requestTimeoutMs: 60_000 });
  const work = action === 'backup' ? backUp : bringBack;
  await work(kube, join(folder, 'slipway.backup'), passphrase).finally(() => kube.close());
}

async function backUp(kube: Kube, file: string, passphrase: string): Promise<void> {
  const controller = new AbortController();
  const interrupt = () => controller.abort(new UserError('The backup was interrupted. No file was written.'));
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, interrupt);
  const { signal } = controller;
  const taken: NamespacedMeta[] = [];
  try {
    const backup = await collect(process.env.NS || releaseNamespace, { kube, say, signal, taken });
    signal.throwIfAborted();
    writeWhole(file, packBackup(backup, passphrase), 0o600);
    const drivers = new Set(backup.volumes.map(({ driver }) => driver));
    report(backup, fatesOf(backup, { drivers, claims: [] }));
  } catch (error) {
    await discardSnapshots({ kube, say, taken });
    throw error;
  }
  say(`written to ${file}`);
  say(
    `It holds the master keys and every other key of the installation, encrypted with ${passphraseVariable}.`,
  );
  say('Whoever has both can read every secret. Keep them apart, and off this cluster.');
}

async function bringBack(kube: Kube, file: string, passphrase: string): Promise<void> {
  if (!existsSync(file)) throw new UserError(`There is no backup at ${file}.`);
  const backup = unpackBackup(readFileSync(file), passphrase);
  const takesOver = ['yes', 'true', '1'].includes(process.env.TAKE_OVER ?? '');
  await restore({ kube, backup, takesOver, onFates: (fates) => report(backup, fates) });
  say('Now install the chart, with `helm upgrade --install` or `make up`. API keys are those of the backup.');
}

/** What is in a backup, and which chains begin again. */
function report({ objects }: Backup, fates: Fates): void {
  const networks = Map.groupBy(objects, ({ metadata }) => fates.get(metadata.uid)?.chain);
  const placesOf = (some: AnyObject[]) => some.map(placeOf).join(', ');
  const kept = networks.get('kept');
  const lost = networks.get('new');
  say(`${objects.length} objects`);
  if (kept) say(`networks that run on from their volumes: ${placesOf(kept)}`);
  if (lost) say(`networks that come back with a new chain: ${placesOf(lost)}`);
}

runProgram(() => main(process.argv.slice(2)));
