import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { identify, type ProcessIdentity } from '../../lib/processes.ts';
import { listChains } from './net/iptables.ts';
import { hasNodeAddress, linksOf } from './net/network.ts';
import { BRIDGE, CGROUP, configFile, layout, NODE_ADDRESS } from './setup/layout.ts';

/** What of a node is on this machine, by kind. All lists are empty where there is none. */
export interface Inventory {
  processes: string[];
  mounts: string[];
  cgroups: string[];
  interfaces: string[];
  chains: string[];
  addresses: string[];
  folders: string[];
}

/** What is known of a process from /proc. */
export interface ProcessFacts {
  exe: string;
  cwd: string;
  argv: string[];
}

const supervisors = ['runsvdir', 'runsv', 'svlogd'];

/** Looks for everything that a node may leave, whether its processes live or not. */
export async function takeInventory(): Promise<Inventory> {
  const isThere = await hasNodeAddress();
  return {
    processes: nodeProcesses().map(({ identity, argv }) => `${basename(argv[0] ?? '')} (${identity.pid})`),
    mounts: nodeMounts().reverse(),
    cgroups: nodeCgroups(),
    interfaces: await linksOf(BRIDGE),
    chains: await listChains(),
    addresses: isThere ? [NODE_ADDRESS] : [],
    folders: existsSync(layout.root)
      ? readdirSync(layout.root).filter((name) => !name.startsWith('lock'))
      : [],
  };
}

export function isEmpty(inventory: Inventory): boolean {
  return Object.values(inventory).every((list) => list.length === 0);
}

/** Processes that are the node's by construction: its programs, its containerd and shims, its supervisors. */
export function nodeProcesses(): (ProcessFacts & { identity: ProcessIdentity })[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0)
    .flatMap((pid) => {
      const facts = readFacts(pid);
      const identity = facts && isNodeProcess(facts) ? identify(pid) : undefined;
      return facts && identity ? [{ ...facts, identity }] : [];
    });
}

/** True for a process that only this node can have started. */
export function isNodeProcess({ exe, cwd, argv }: ProcessFacts): boolean {
  const name = basename(argv[0] ?? '');
  if (exe.startsWith(`${layout.bin}/`)) return true;
  if (name === 'containerd') return argv.includes(configFile('containerd.toml'));
  if (name.startsWith('containerd-shim')) return argv.includes(layout.containerdSocket);
  return (
    supervisors.includes(name) && (argv.includes(layout.services) || cwd.startsWith(`${layout.services}/`))
  );
}

/** Mount points below the node's folder, the deepest first. */
export function nodeMounts(): string[] {
  return mountPoints()
    .filter(({ path }) => path.startsWith(`${layout.root}/`))
    .map(({ path }) => path)
    .sort((a, b) => b.length - a.length);
}

/** The node's cgroup in each hierarchy that has it. */
export function nodeCgroups(): string[] {
  return cgroupRoots()
    .map((root) => join(root, CGROUP))
    .filter((path) => existsSync(path));
}

/** Where each cgroup hierarchy is mounted: many of them in version 1, a single one in version 2. */
export function cgroupRoots(): string[] {
  const roots = mountPoints().filter(({ type }) => type === 'cgroup' || type === 'cgroup2');
  return [...new Set(roots.map(({ path }) => path))].filter((path) => path.startsWith('/sys/fs/cgroup'));
}

/** Mount points and their file system types from /proc/self/mountinfo (proc(5)); spaces are written as \040. */
export function parseMountInfo(text: string): { path: string; type: string }[] {
  return text
    .split('\n')
    .filter((line) => line.includes(' - '))
    .map((line) => {
      const [before = '', after = ''] = line.split(' - ');
      const path = (before.split(' ')[4] ?? '').replaceAll('\\040', ' ');
      return { path, type: after.split(' ')[0] ?? '' };
    });
}

function mountPoints(): { path: string; type: string }[] {
  return parseMountInfo(readFileSync('/proc/self/mountinfo', 'utf8'));
}

function readFacts(pid: number): ProcessFacts | undefined {
  try {
    const argv = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return { argv, exe: readlinkSync(`/proc/${pid}/exe`), cwd: readlinkSync(`/proc/${pid}/cwd`) };
  } catch {
    return undefined;
  }
}
