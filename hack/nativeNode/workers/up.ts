import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Kubectl } from '../../cluster/kubectl.ts';
import { step } from '../../lib/progress.ts';
import { tryRun, UserError } from '../../lib/run.ts';
import { waitUntil } from '../../lib/wait.ts';
import { copyImages, isContainerdReady } from '../containers.ts';
import { LOADING_TAINT, type NodeFacts } from '../setup/configs.ts';
import { layout } from '../setup/layout.ts';
import { type NodePlace, workerPlaces } from '../setup/place.ts';
import { socketOf } from './scripts.ts';
import { workerFolder } from './worker.ts';
import { writeWorker } from './write.ts';

const START_LIMIT_MS = 60_000;

/**
 * Starts the added nodes that do not work, or adds one when all of them do, and returns their names.
 * Throws UserError when there are as many as there can be.
 */
export async function startWorkers(kubectl: Kubectl, facts: NodeFacts): Promise<string[]> {
  const known = knownWorkers();
  const isWorking = await Promise.all(known.map((place) => works(kubectl, place)));
  const broken = known.filter((_place, index) => !isWorking[index]);
  const chosen = broken.length > 0 ? broken : [nextPlace(known)];
  for (const place of chosen) {
    const title = broken.length > 0 ? `starting ${place.name} again` : `adding ${place.name}`;
    await step(title, () => startWorker(kubectl, place, facts));
  }
  return chosen.map(({ name }) => name);
}

/** The nodes that were added, whether they work or not. */
export function knownWorkers(): NodePlace[] {
  return workerPlaces.filter((place) => existsSync(workerFolder(place)));
}

/** The first place that is free. */
export function nextPlace(known: readonly NodePlace[]): NodePlace {
  const free = workerPlaces.find((place) => !known.includes(place));
  if (free) return free;
  throw new UserError(
    `There are ${workerPlaces.length} added nodes, as many as there can be: \`make node-down\` removes them.`,
  );
}

/** What was left of the node keeps its volumes and images. */
async function startWorker(kubectl: Kubectl, place: NodePlace, facts: NodeFacts): Promise<void> {
  await writeWorker(place, facts);
  const service = join(layout.services, place.name);
  // Its supervisor looks for new services every five seconds.
  await waitUntil(
    async () => existsSync(join(service, 'supervise', 'ok')),
    START_LIMIT_MS,
    `${service} was not started. See ${layout.logs}/supervisor.log`,
  );
  await tryRun('sv', ['up', service]);
  const socket = socketOf(place);
  await waitUntil(() => isContainerdReady(socket), START_LIMIT_MS, failed(place, 'containerd'));
  await copyImages(socket);
  await waitUntil(() => works(kubectl, place), START_LIMIT_MS, failed(place, 'kubelet'));
  const node = [`node/${place.name}`, `--timeout=${START_LIMIT_MS / 1000}s`];
  await kubectl.run(['wait', '--for=condition=Ready', ...node]);
  await kubectl.try(['taint', 'node', place.name, `${LOADING_TAINT}-`]);
}

/** Asks the kubelet itself: the state of a node that was killed stays Ready for a while. */
async function works(kubectl: Kubectl, { name }: NodePlace): Promise<boolean> {
  const path = `/api/v1/nodes/${name}/proxy/healthz`;
  const kubelet = await kubectl.try(['get', '--raw', path, '--request-timeout=3s']);
  return kubelet.code === 0;
}

function failed(place: NodePlace, service: string): string {
  const logs = `${workerFolder(place)}/logs/${service}/current and ${layout.logs}/${place.name}/current`;
  return `${service} of ${place.name} did not become ready in time. See ${logs}`;
}
