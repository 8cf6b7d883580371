import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../lib/paths.ts';
import { run } from '../lib/run.ts';

/** Folder that an engine's Dockerfile copies from. */
export function engineContext(engine: string): string {
  return join(projectRoot, 'dist', 'engines', engine);
}

/**
 * Puts anvil for Linux, of this machine's type, and the entry point into the context of engines/evm-dev.
 * On Linux npm has installed it already; elsewhere its package is fetched.
 */
export async function stageEvmDev(): Promise<string> {
  const context = engineContext('evm-dev');
  mkdirSync(context, { recursive: true });
  const source = await anvilBinary(context);
  const target = join(context, 'anvil');
  if (!existsSync(target) || !readFileSync(source).equals(readFileSync(target))) {
    copyFileSync(source, target);
    chmodSync(target, 0o755);
  }
  copyFileSync(join(projectRoot, 'engines', 'evm-dev', 'entrypoint.sh'), join(context, 'entrypoint.sh'));
  return context;
}

async function anvilBinary(context: string): Promise<string> {
  const packageName = anvilPackage(process.arch);
  const installed = join(projectRoot, 'node_modules', packageName, 'bin', 'anvil');
  if (existsSync(installed)) return installed;
  const fetched = join(context, '..', 'fetched');
  rmSync(fetched, { recursive: true, force: true });
  mkdirSync(fetched, { recursive: true });
  const version = anvilVersion();
  const names = await run('npm', ['pack', `${packageName}@${version}`, '--silent'], {
    cwd: fetched,
    remedy: 'check that npm can reach its registry',
  });
  await run('tar', ['-xzf', names.trim().split('\n').at(-1) ?? ''], { cwd: fetched });
  return join(fetched, 'package', 'bin', 'anvil');
}

/** The npm package that holds anvil for Linux on a processor type of Node's `process.arch`. */
function anvilPackage(arch: string): string {
  return `@foundry-rs/anvil-linux-${arch === 'x64' ? 'amd64' : arch}`;
}

function anvilVersion(): string {
  const { devDependencies } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
    devDependencies: Record<string, string>;
  };
  return devDependencies['@foundry-rs/anvil'] ?? 'latest';
}
