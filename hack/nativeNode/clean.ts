import { readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { truncate } from '../lib/format.ts';
import { tryRun, UserError } from '../lib/run.ts';
import { type Inventory, isEmpty, nodeCgroups, nodeMounts, takeInventory } from './inventory.ts';
import { removeChains } from './net/iptables.ts';
import { linksOf, restoreNetwork, workerLinks } from './net/network.ts';
import { BRIDGE, layout, POD_RANGE } from './setup/layout.ts';
import { readNodeState } from './state.ts';
import { cgroupTree, killContainers, stopNode } from './stop.ts';
import { removeTraces } from './traces.ts';

const EMPTY_LIMIT_MS = 10_000;
const SHOWN_NAMES = 4;
const SHOWN_WIDTH = 40;

/**
 * Removes a node completely, whether it is running or was left behind incomplete: processes, containers, mounts,
 * cgroups, interfaces, iptables chains, the address, kernel settings and the data folder.
 * Returns what existed before. Throws UserError with a list of what could not be removed.
 */
export async function cleanNode(): Promise<Inventory> {
  const before = await takeInventory();
  if (isEmpty(before)) return before;
  const sysctls = readNodeState()?.sysctls ?? {};
  await stopNode();
  removeTraces();
  for (const path of nodeMounts()) await unmount(path);
  await removeCgroups();
  for (const link of [...(await linksOf(BRIDGE)), ...(await workerLinks())])
    await tryRun('ip', ['link', 'delete', link]);
  await removeChains();
  await tryRun('conntrack', ['--delete', '--src', POD_RANGE]);
  await restoreNetwork(sysctls);
  removeFolders();
  await verifyGone();
  return before;
}

/** A cgroup can be removed only after its last process has been reaped, which may take a moment. */
export async function removeCgroups(find = nodeCgroups): Promise<void> {
  const deadlineMs = Date.now() + EMPTY_LIMIT_MS;
  for (;;) {
    for (const folder of find().flatMap(cgroupTree)) tryRemoveFolder(folder);
    if (find().length === 0 || Date.now() > deadlineMs) return;
    killContainers(find());
    await delay(50);
  }
}

function tryRemoveFolder(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Not empty yet.
  }
}

async function unmount(path: string): Promise<void> {
  const answer = await tryRun('umount', [path]);
  if (answer.code !== 0) await tryRun('umount', ['--lazy', path]);
}

function removeFolders(): void {
  if (nodeMounts().length > 0) return;
  for (const name of readdirSync(layout.root)) {
    if (!name.startsWith('lock')) rmSync(join(layout.root, name), { recursive: true, force: true });
  }
}

async function verifyGone(): Promise<void> {
  const deadlineMs = Date.now() + EMPTY_LIMIT_MS;
  let left = await takeInventory();
  while (!isEmpty(left) && Date.now() < deadlineMs) {
    await delay(100);
    left = await takeInventory();
  }
  if (isEmpty(left)) return;
  throw new UserError(
    `The native node was not removed completely. Run \`make down\` again. Still there:\n${describeInventory(left)}`,
  );
}

/** One line per kind of resource, with the count and the first few names. */
export function describeInventory(inventory: Inventory): string {
  const lines = Object.entries(inventory).flatMap(([kind, list]: [string, string[]]) => {
    if (list.length === 0) return [];
    const shown = list.slice(0, SHOWN_NAMES).map((name) => truncate(name, SHOWN_WIDTH));
    const more = list.length > shown.length ? ', …' : '';
    return [`  ${list.length} ${kind}: ${shown.join(', ')}${more}`];
  });
  return lines.join('\n');
}
