import { run, tryRun } from '../../lib/run.ts';
import { NETWORK_NAME } from '../setup/layout.ts';

/** Chains that only kube-proxy, the kubelet and this tool create. */
const OUR_CHAINS = /^(KUBE-|SLIPWAY-)/;
/** Chains that the portmap plugin shares between networks; they are ours only when no other network uses them. */
const SHARED_CHAINS = /^CNI-HOSTPORT-/;

interface Table {
  name: string;
  chains: string[];
  rules: string[];
}

/** Input for `iptables-restore --noflush` that removes the node's rules and chains; empty when there are none. */
export function removalScript(saved: string): string {
  return parseTables(saved)
    .map((table) => removalOf(table))
    .join('');
}

/** Names of the node's chains in the output of iptables-save, as `table/chain`. */
export function ownChains(saved: string): string[] {
  return parseTables(saved).flatMap((table) => chainsOf(table).map((chain) => `${table.name}/${chain}`));
}

/** Removes the node's chains and the rules that jump to them, for both address families. */
export async function removeChains(): Promise<void> {
  for (const [save, restore] of families) {
    const script = removalScript(await savedRules(save));
    if (script) await run(restore, ['--noflush', '--wait'], { input: script });
  }
}

/** All of the node's chains that currently exist. */
export async function listChains(): Promise<string[]> {
  const saved = await Promise.all(families.map(([save]) => savedRules(save)));
  return saved.flatMap(ownChains);
}

const families = [
  ['iptables-save', 'iptables-restore'],
  ['ip6tables-save', 'ip6tables-restore'],
] as const;

async function savedRules(command: string): Promise<string> {
  const answer = await tryRun(command, []);
  return answer.code === 0 ? answer.stdout : '';
}

function removalOf(table: Table): string {
  const chains = new Set(chainsOf(table));
  const rules = table.rules.filter((rule) => !chains.has(chainOf(rule)) && chains.has(targetOf(rule)));
  if (chains.size === 0 && rules.length === 0) return '';
  const deletions = rules.map((rule) => rule.replace(/^-A/, '-D'));
  const flushes = [...chains].map((chain) => `-F ${chain}`);
  const removals = [...chains].map((chain) => `-X ${chain}`);
  return [`*${table.name}`, ...deletions, ...flushes, ...removals, 'COMMIT', ''].join('\n');
}

function chainsOf(table: Table): string[] {
  const isCommented = (rule: string) => rule.includes(`name: \\"${NETWORK_NAME}\\"`);
  const cni = new Set(table.rules.filter(isCommented).map(targetOf));
  const hasOtherNetworks = table.chains.some((chain) => chain.startsWith('CNI-DN-') && !cni.has(chain));
  return table.chains.filter((chain) => {
    if (SHARED_CHAINS.test(chain)) return !hasOtherNetworks;
    return OUR_CHAINS.test(chain) || (chain.startsWith('CNI-') && cni.has(chain));
  });
}

function parseTables(saved: string): Table[] {
  const tables: Table[] = [];
  for (const line of saved.split('\n')) {
    const table = tables.at(-1);
    if (line.startsWith('*')) tables.push({ name: line.slice(1), chains: [], rules: [] });
    if (line.startsWith(':')) table?.chains.push(line.slice(1).split(' ', 1)[0] ?? '');
    if (line.startsWith('-A ')) table?.rules.push(line);
  }
  return tables;
}

function chainOf(rule: string): string {
  return rule.split(' ')[1] ?? '';
}

function targetOf(rule: string): string {
  return / -[jg] (\S+)/.exec(rule)?.[1] ?? '';
}
