import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from './cluster.ts';

const folder = join(import.meta.dirname, '..', 'forge');

interface Signing {
  url: string;
  key: string;
}

/**
 * Runs a Foundry script against a URL, as a user would: it compiles, simulates, signs, sends and waits. What is compiled
 * stays in `scratch` if there is one.
 */
export async function runForgeScript(file: string, { url, key }: Signing, scratch?: string): Promise<void> {
  const signing = ['--rpc-url', url, '--private-key', key, '--broadcast', '--slow'];
  const args = ['script', join(folder, file), '--tc', 'Deploy', ...signing];
  const text = await runForge(args, {}, scratch);
  if (!/ONCHAIN EXECUTION COMPLETE/.test(text)) throw new Error(text);
}

/** Deploys a contract, given as `path:Name`, with `forge create` and returns its address. */
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

/**
 * Runs a contract's tests on a fork of the chain at a URL, with environment variables, and returns the report. What is
 * compiled stays in `scratch` if there is one; what is read from the chain never stays.
 */
export function runForgeTest(
  contract: string,
  url: string,
  variables: Record<string, string>,
  scratch?: string,
): Promise<string> {
  const args = ['test', '--match-contract', contract, '--fork-url', url, '--no-storage-caching'];
  return runForge(args, variables, scratch);
}

/** Runs forge in the project's folder and removes its output files. Throws with its output when it fails. */
async function runForge(
  args: string[],
  variables: Record<string, string> = {},
  given?: string,
): Promise<string> {
  const scratch = given ?? mkdtempSync(join(tmpdir(), 'slipway-forge-'));
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
    if (!given) rmSync(scratch, { recursive: true, force: true });
    rmSync(join(folder, 'broadcast'), { recursive: true, force: true });
  }
}
