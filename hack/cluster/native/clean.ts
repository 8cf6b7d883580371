import { readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { truncate } from '../../lib/format.ts';
import { stopProcess } from '../../lib/processes.ts';
import { tryRun, UserError } from '../../lib/run.ts';
import {
  type Inventory,
  isEmpty,
  nodeCgroups,
  nodeMounts,
  nodeProcesses,
  takeInventory,
} from './inventory.ts';
import { removeChains } from './iptables.ts';
import { BRIDGE, layout, POD_RANGE } from './layout.ts';
import { linksOf, restoreNetwork } from './network.ts';
import { stopDrivers, stopOthers } from './runit.ts';
import { readNodeState } from './state.ts';
import { removeTraces } from './traces.ts';

const EMPTY_LIMIT_MS = 10_000;
const GRACE_MS = 2000;
const SHOWN_NAMES = 4;
const SHOWN_WIDTH = 40;

/**
 * Removes all of a node, whether it lives or an earlier run left it half: processes, containers, mounts, cgroups,
 * interfaces, iptables chains, the address, kernel settings and the folder with its data.
 * Answers what was there before. Throws UserError naming what is still there.
 */
export async function cleanNode(): Promise<Inventory> {
  const before = await takeInventory();
  if (isEmpty(before)) return before;
  const sysctls = readNodeState()?.sysctls ?? {};
  await stopProcesses();
  removeTraces();
  for (const path of nodeMounts()) await unmount(path);
  await removeCgroups();
  for (const link of await linksOf(BRIDGE)) await tryRun('ip', ['link', 'delete', link]);
  await removeChains();
  await tryRun('conntrack', ['--delete', '--src', POD_RANGE]);
  await restoreNetwork(sysctls);
  removeFolders();
  await verifyGone();
  return before;
}

/** The supervisor first, or it would start again what is stopped; then whatever starts containers; then containers. */
async function stopProcesses(): Promise<void> {
  await stopByName('runsvdir');
  await stopDrivers();
  killContainers();
  await stopByName('containerd-shim');
  await stopOthers();
  await stopByName('');
}

/** Ends those of the node's processes whose program's name begins with `prefix`. */
async function stopByName(prefix: string): Promise<void> {
  const chosen = nodeProcesses().filter(({ argv }) => basename(argv[0] ?? '').startsWith(prefix));
  await Promise.all(chosen.map(({ identity }) => stopProcess(identity, GRACE_MS)));
}

/** Whatever runs in the node's cgroup is a container's process. */
function killContainers(): void {
  for (const pid of containerPids()) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended by itself in the meantime.
    }
  }
}

function containerPids(): number[] {
  const pids = nodeCgroups()
    .flatMap(cgroupTree)
    .flatMap((folder) => {
      try {
        return readFileSync(join(folder, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean).map(Number);
      } catch {
        return [];
      }
    });
  return [...new Set(pids)];
}

/** A cgroup can be removed once its last process is reaped, which may take a moment. */
async function removeCgroups(): Promise<void> {
  const deadlineMs = Date.now() + EMPTY_LIMIT_MS;
  for (;;) {
    for (const folder of nodeCgroups().flatMap(cgroupTree)) tryRemoveFolder(folder);
    if (nodeCgroups().length === 0 || Date.now() > deadlineMs) return;
    killContainers();
    await delay(50);
  }
}

/** A cgroup and all below it, the deepest first. */
function cgroupTree(folder: string): string[] {
  const children = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return [...children.flatMap((entry) => cgroupTree(join(folder, entry.name))), folder];
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
  throw new UserError(`The node could not be removed whole. Still there:\n${describeInventory(left)}`);
}

/** One line for each kind of thing, with how many and the first few. */
export function describeInventory(inventory: Inventory): string {
  const lines = Object.entries(inventory).flatMap(([kind, list]: [string, string[]]) => {
    if (list.length === 0) return [];
    const shown = list.slice(0, SHOWN_NAMES).map((name) => truncate(name, SHOWN_WIDTH));
    const more = list.length > shown.length ? ', …' : '';
    return [`  ${list.length} ${kind}: ${shown.join(', ')}${more}`];
  });
  return lines.join('\n');
}
