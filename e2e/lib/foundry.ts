import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from './cluster.ts';

const folder = join(import.meta.dirname, '..', 'forge');

interface Signing {
  url: string;
  key: string;
}

/** Runs a Foundry script against a URL, as its user would: it compiles, simulates, signs, sends and waits. */
export async function runForgeScript(file: string, { url, key }: Signing): Promise<void> {
  const signing = ['--rpc-url', url, '--private-key', key, '--broadcast', '--slow'];
  const text = await runForge(['script', join(folder, file), '--tc', 'Deploy', ...signing]);
  if (!/ONCHAIN EXECUTION COMPLETE/.test(text)) throw new Error(text);
}

/** Deploys a contract, `path:Name`, by `forge create`; answers its address. */
export async function runForgeCreate(
  contract: string,
  { url, key }: Signing,
  constructorArgs: string[],
): Promise<string> {
  const signing = ['--rpc-url', url, '--private-key', key, '--broadcast', '--json'];
  const text = await runForge(['create', contract, ...signing, '--constructor-args', ...constructorArgs]);
  const [, address] = /"deployedTo": *"(0x[0-9A-Fa-f]{40})"/.exec(text) ?? [];
  if (!address) throw new Error(text);
  return address;
}

/** Runs the tests of a contract on a fork of a URL's chain, with variables of the environment; answers the report. */
export function runForgeTest(
  contract: string,
  url: string,
  variables: Record<string, string>,
): Promise<string> {
  return runForge(['test', '--match-contract', contract, '--fork-url', url], variables);
}

/** Runs forge in the project's folder; what it makes is removed. Throws what it says when it fails. */
async function runForge(args: string[], variables: Record<string, string> = {}): Promise<string> {
  const scratch = mkdtempSync(join(tmpdir(), 'slipway-forge-'));
  const environment = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  const [command = '', ...rest] = args;
  const common = [
    ...['--root', folder, '--cache-path', join(scratch, 'cache'), '--out', join(scratch, 'out')],
    ...['--use', join(folder, 'solc.sh'), '--offline'],
  ];
  try {
    const all = [...environment, 'forge', command, ...common, ...rest];
    const { code, stdout, stderr } = await runProgram('env', all);
    if (code !== 0) throw new Error(`${stdout}\n${stderr}`);
    return `${stdout}\n${stderr}`;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
    rmSync(join(folder, 'broadcast'), { recursive: true, force: true });
  }
}
