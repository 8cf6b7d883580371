import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { stopProcess } from '../lib/processes.ts';
import { nodeCgroups, nodeProcesses } from './inventory.ts';
import { stopDrivers, stopOthers } from './runit.ts';

const GRACE_MS = 2000;

/** Stops all processes of the node: first the supervisor, which would restart them, then what starts containers. */
export async function stopNode(): Promise<void> {
  await stopByName('runsvdir');
  await stopDrivers();
  killContainers();
  await stopByName('containerd-shim');
  await stopOthers();
  await stopByName('');
}

/** Stops the node's processes whose program name starts with `prefix`. */
async function stopByName(prefix: string): Promise<void> {
  const chosen = nodeProcesses().filter(({ argv }) => basename(argv[0] ?? '').startsWith(prefix));
  await Promise.all(chosen.map(({ identity }) => stopProcess(identity, GRACE_MS)));
}

/** Kills every process in the node's cgroups; only container processes run there. */
export function killContainers(cgroups = nodeCgroups()): void {
  for (const pid of containerPids(cgroups)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has already exited.
    }
  }
}

function containerPids(cgroups: string[]): number[] {
  const pids = cgroups.flatMap(cgroupTree).flatMap((folder) => {
    try {
      return readFileSync(join(folder, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean).map(Number);
    } catch {
      return [];
    }
  });
  return [...new Set(pids)];
}

/** A cgroup and all its descendants, deepest first. */
export function cgroupTree(folder: string): string[] {
  const children = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return [...children.flatMap((entry) => cgroupTree(join(folder, entry.name))), folder];
}
