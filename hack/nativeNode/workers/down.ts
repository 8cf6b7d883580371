import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Kubectl } from '../../cluster/kubectl.ts';
import { say, step } from '../../lib/progress.ts';
import { tryRun, UserError } from '../../lib/run.ts';
import { waitUntil } from '../../lib/wait.ts';
import { removeCgroups } from '../clean.ts';
import { nodeCgroups } from '../inventory.ts';
import { workerLinks } from '../net/network.ts';
import { removeService } from '../runit.ts';
import { layout } from '../setup/layout.ts';
import type { NodePlace } from '../setup/place.ts';
import { knownWorkers } from './up.ts';
import { linkOf, workerFolder } from './worker.ts';

const DRAIN_LIMIT = '120s';
const GONE_LIMIT_MS = 20_000;

/** Drains and removes all added nodes with their volumes, and returns their names. */
export async function removeWorkers(kubectl: Kubectl): Promise<string[]> {
  const known = knownWorkers();
  for (const place of known) await step(`removing ${place.name}`, () => removeWorker(kubectl, place));
  return known.map(({ name }) => name);
}

/** A node that does not work cannot be drained: Kubernetes forgets its pods together with it. */
async function removeWorker(kubectl: Kubectl, place: NodePlace): Promise<void> {
  const options = ['--ignore-daemonsets', '--delete-emptydir-data', '--force', `--timeout=${DRAIN_LIMIT}`];
  const drained = await kubectl.try(['drain', place.name, ...options]);
  if (drained.code !== 0) say(`  ${place.name} was not drained: its pods end with it`);
  await removeService(place.name);
  await tryRun('ip', ['link', 'delete', linkOf(place)]);
  await removeCgroups(() => nodeCgroups(place.cgroup));
  rmSync(workerFolder(place), { recursive: true, force: true });
  rmSync(join(layout.logs, place.name), { recursive: true, force: true });
  await kubectl.run(['delete', 'node', place.name, '--ignore-not-found', '--wait=false']);
  await verifyGone(place);
}

async function verifyGone(place: NodePlace): Promise<void> {
  const left = async () => [
    ...nodeCgroups(place.cgroup),
    ...(await workerLinks()).filter((name) => name === linkOf(place)),
    ...[workerFolder(place)].filter((folder) => existsSync(folder)),
  ];
  const isGone = async () => (await left()).length === 0;
  await waitUntil(isGone, GONE_LIMIT_MS, 'still there').catch(async () => {
    throw new UserError(
      `${place.name} was not removed completely. Run \`make node-down\` again. Still there: ${(await left()).join(', ')}`,
    );
  });
}
