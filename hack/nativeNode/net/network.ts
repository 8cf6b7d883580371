import { readFileSync, writeFileSync } from 'node:fs';
import { run, tryRun } from '../../lib/run.ts';
import { NODE_ADDRESS, POD_RANGE } from '../setup/layout.ts';
import { LINK_PREFIX } from '../setup/place.ts';

/** Kernel settings that the node or one of its processes changes. */
const sysctlNames = [
  'net/ipv4/ip_forward',
  'net/ipv4/conf/all/route_localnet',
  'net/bridge/bridge-nf-call-iptables',
  'net/bridge/bridge-nf-call-ip6tables',
  'vm/overcommit_memory',
  'vm/panic_on_oom',
  'kernel/panic',
  'kernel/panic_on_oops',
  'kernel/keys/root_maxbytes',
  'kernel/keys/root_maxkeys',
];

/** The current kernel settings, which are restored when the node is removed. */
export function readSysctls(): Record<string, string> {
  return Object.fromEntries(
    sysctlNames.flatMap((name) => {
      const value = readSysctl(name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/**
 * What is sent to a pod of a node that is gone ends here; it would leave the machine by the default route otherwise. Any other
 * route to the range has a lower metric, so it comes first and is not replaced.
 */
const podsNowhere = ['unreachable', POD_RANGE, 'metric', '65535'];

/** Adds the node's address to the machine and enables forwarding of pod traffic. */
export async function prepareNetwork(): Promise<void> {
  for (const module of ['br_netfilter', 'overlay']) await tryRun('modprobe', [module]);
  await run('ip', ['address', 'replace', `${NODE_ADDRESS}/32`, 'dev', 'lo']);
  await run('ip', ['route', 'replace', ...podsNowhere]);
  for (const name of ['net/ipv4/ip_forward', 'net/bridge/bridge-nf-call-iptables']) writeSysctl(name, '1');
}

/** Removes the node's address and its route, and restores the kernel settings. */
export async function restoreNetwork(sysctls: Record<string, string>): Promise<void> {
  await tryRun('ip', ['route', 'delete', ...podsNowhere]);
  await tryRun('ip', ['address', 'delete', `${NODE_ADDRESS}/32`, 'dev', 'lo']);
  const isForwardingUsed = (await bridges()).length > 0;
  for (const [name, value] of Object.entries(sysctls)) {
    if (name === 'net/ipv4/ip_forward' && isForwardingUsed) continue;
    writeSysctl(name, value);
  }
}

export async function hasNodeAddress(): Promise<boolean> {
  const answer = await tryRun('ip', ['-json', 'address', 'show', 'dev', 'lo']);
  return answer.stdout.includes(`"${NODE_ADDRESS}"`);
}

/** The bridge and its member interfaces, members first. */
export async function linksOf(bridge: string): Promise<string[]> {
  if (!(await bridges()).includes(bridge)) return [];
  return [...(await linkNames('master', bridge)), bridge];
}

/** The interfaces that lead to added nodes. */
export async function workerLinks(): Promise<string[]> {
  return (await linkNames('type', 'veth')).filter((name) => name.startsWith(LINK_PREFIX));
}

/** The machine's bridges. Any bridge besides the node's means that something else needs forwarding too. */
function bridges(): Promise<string[]> {
  return linkNames('type', 'bridge');
}

async function linkNames(...filter: string[]): Promise<string[]> {
  const answer = await tryRun('ip', ['-json', 'link', 'show', ...filter]);
  if (answer.code !== 0 || !answer.stdout.trim()) return [];
  const links = JSON.parse(answer.stdout) as { ifname?: string }[];
  return links.map((link) => link.ifname).filter((name) => name !== undefined);
}

function readSysctl(name: string): string | undefined {
  try {
    return readFileSync(`/proc/sys/${name}`, 'utf8').trim();
  } catch {
    return undefined;
  }
}

function writeSysctl(name: string, value: string): void {
  if (readSysctl(name) === undefined || readSysctl(name) === value) return;
  writeFileSync(`/proc/sys/${name}`, value);
}
