import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from './cluster.ts';

const folder = join(import.meta.dirname, '..', 'forge');

/** Runs a Foundry script against a URL, as its user would: it compiles, simulates, signs, sends and waits. */
export async function runForgeScript(
  file: string,
  { url, key }: { url: string; key: string },
): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'slipway-forge-'));
  const args = [
    ...['script', join(folder, file), '--tc', 'Deploy', '--root', folder],
    ...['--cache-path', join(scratch, 'cache'), '--out', join(scratch, 'out')],
    ...['--use', join(folder, 'solc.sh'), '--offline'],
    ...['--rpc-url', url, '--private-key', key, '--broadcast', '--slow'],
  ];
  try {
    const { code, stdout, stderr } = await runProgram('forge', args);
    if (code !== 0 || !/ONCHAIN EXECUTION COMPLETE/.test(stdout)) throw new Error(`${stdout}\n${stderr}`);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
    rmSync(join(folder, 'broadcast'), { recursive: true, force: true });
  }
}
