import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { identify, type ProcessIdentity } from '../lib/processes.ts';
import { listChains } from './net/iptables.ts';
import { hasNodeAddress, linksOf, workerLinks } from './net/network.ts';
import { BRIDGE, CGROUP, configFile, layout, NODE_ADDRESS } from './setup/layout.ts';

/** Everything on this machine that belongs to the node, by kind. All lists are empty when there is no node. */
export interface Inventory {
  processes: string[];
  mounts: string[];
  cgroups: string[];
  interfaces: string[];
  chains: string[];
  addresses: string[];
  folders: string[];
}

/** What /proc says about a process. */
export interface ProcessFacts {
  exe: string;
  cwd: string;
  argv: string[];
  /** Its environment variables, as `NAME=value`. */
  environ: string[];
}

/** In the environment of the builder of engines, and of all that it starts: compilers have no other mark. */
export const builderMark = `SLIPWAY_ENGINE_BUILDER=${layout.root}`;

/** Programs around the supervisor of an added node. */
const wrappers = ['setpriv', 'sh', 'unshare'];
const supervisors = ['runsvdir', 'runsv', 'svlogd'];

/** Finds everything that a node may leave behind, whether or not its processes are running. */
export async function takeInventory(): Promise<Inventory> {
  const hasAddress = await hasNodeAddress();
  return {
    processes: nodeProcesses().map(({ identity, argv }) => `${basename(argv[0] ?? '')} (${identity.pid})`),
    mounts: nodeMounts().reverse(),
    cgroups: nodeCgroups(),
    interfaces: [...(await linksOf(BRIDGE)), ...(await workerLinks())],
    chains: await listChains(),
    addresses: hasAddress ? [NODE_ADDRESS] : [],
    folders: existsSync(layout.root)
      ? readdirSync(layout.root).filter((name) => !name.startsWith('lock'))
      : [],
  };
}

export function isEmpty(inventory: Inventory): boolean {
  return Object.values(inventory).every((list) => list.length === 0);
}

/** The processes that can only belong to the node: its programs, its containerd and shims, its supervisors, its builder. */
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

/** True for a process that only the node can have started. */
export function isNodeProcess({ exe, cwd, argv, environ }: ProcessFacts): boolean {
  const name = basename(argv[0] ?? '');
  if (environ.includes(builderMark)) return true;
  if (exe.startsWith(`${layout.bin}/`)) return true;
  if (name === 'containerd') return argv.includes(configFile('containerd.toml'));
  if (wrappers.includes(name)) return argv.some((part) => part.startsWith(`${layout.nodes}/`));
  if (name.startsWith('containerd-shim')) return argv.includes(layout.containerdSocket);
  return (
    supervisors.includes(name) && (argv.includes(layout.services) || cwd.startsWith(`${layout.services}/`))
  );
}

/** Mount points below the node's folder, deepest first. */
export function nodeMounts(): string[] {
  return mountPoints()
    .filter(({ path }) => path.startsWith(`${layout.root}/`))
    .map(({ path }) => path)
    .sort((a, b) => b.length - a.length);
}

/** A node's cgroup in each hierarchy where it exists; that of the first node contains the others. */
export function nodeCgroups(cgroup = CGROUP): string[] {
  return cgroupRoots()
    .map((root) => join(root, cgroup))
    .filter((path) => existsSync(path));
}

/** The mount point of each cgroup hierarchy: several in cgroup v1, one in cgroup v2. */
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
    const read = (file: string) => readFileSync(`/proc/${pid}/${file}`, 'utf8').split('\0');
    const link = (file: string) => readlinkSync(`/proc/${pid}/${file}`);
    return { argv: read('cmdline'), environ: read('environ'), exe: link('exe'), cwd: link('cwd') };
  } catch {
    return undefined;
  }
}
