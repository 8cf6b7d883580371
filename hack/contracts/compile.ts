import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { projectRoot } from '../lib/paths.ts';
import { sourceFolder } from './paths.ts';

/** Solidity sources by their path relative to the contracts folder. */
export type Sources = Record<string, { content: string }>;

/** Returns an imported source, or the reason why it cannot be found. */
export type FindImport = (path: string) => { contents: string } | { error: string };

/** The parts of the solc package that are used; it has no type declarations. */
export interface Compiler {
  compile(input: string, callbacks?: { import: FindImport }): string;
}

/** A contract in the compiler's output. */
export interface CompiledContract {
  abi: unknown[];
  evm: { bytecode: Bytecode; deployedBytecode: Bytecode };
}

interface Bytecode {
  object: string;
  immutableReferences?: Record<string, unknown>;
}

interface CompilerOutput {
  errors?: { severity: string; formattedMessage: string }[];
  contracts?: Record<string, Record<string, CompiledContract>>;
}

/** The compiler and what it is told besides the outputs. */
export interface CompilerSetup {
  compiler: Compiler;
  settings: Record<string, unknown>;
}

const settings = {
  // The oldest hard fork of our chains; code compiled for it runs on all later ones.
  evmVersion: 'london',
  optimizer: { enabled: true, runs: 200 },
  // Without metadata, a change of a comment does not change the bytecode.
  metadata: { appendCBOR: false, bytecodeHash: 'none' },
};
const outputSelection = {
  '*': {
    '*': [
      'abi',
      'evm.bytecode.object',
      'evm.deployedBytecode.object',
      'evm.deployedBytecode.immutableReferences',
    ],
  },
};

/** Contracts in these folders are deployed by transactions; all others are part of a chain's genesis state. */
const deployedFolders = ['tokens/', 'plugins/'];
const isDeployed = (path: string) => deployedFolders.some((folder) => path.startsWith(folder));

/** The sources of the system contracts. */
export function readSources(): Sources {
  return readFolder((path) => !isDeployed(path));
}

/** The sources of the contracts that tokens and plugins need, including system contracts that are also deployed. */
export function readTokenSources(): Sources {
  return readFolder((path) => isDeployed(path) || path === 'WrappedNative.sol');
}

function readFolder(isWanted: (path: string) => boolean): Sources {
  const paths = globSync('**/*.sol', { cwd: sourceFolder }).filter(isWanted).sort();
  return Object.fromEntries(
    paths.map((path) => [path, { content: readFileSync(join(sourceFolder, path), 'utf8') }]),
  );
}

/** A hash of the sources, the compiler's settings and version, and `more`. */
export function hashSources(sources: Sources = readSources(), more: unknown = ''): string {
  const manifest = readFileSync(join(projectRoot, 'node_modules', 'solc', 'package.json'), 'utf8');
  const { version }: { version: string } = JSON.parse(manifest);
  return createHash('sha256')
    .update(JSON.stringify([sources, settings, outputSelection, version, more]))
    .digest('hex');
}

/** All contracts in `sources`, sorted by name. Throws Error with the compiler's error messages. */
export function compile(
  sources: Sources,
  findImport?: FindImport,
  setup: CompilerSetup = { compiler: createRequire(import.meta.url)('solc'), settings },
): [string, CompiledContract][] {
  const { compiler } = setup;
  const input = JSON.stringify({
    language: 'Solidity',
    sources,
    settings: { ...setup.settings, outputSelection },
  });
  const output: CompilerOutput = JSON.parse(
    compiler.compile(input, findImport ? { import: findImport } : undefined),
  );
  const errors = output.errors?.filter(({ severity }) => severity === 'error') ?? [];
  if (errors.length > 0) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join('\n'));
  return Object.entries(output.contracts ?? {})
    .filter(([path]) => Object.hasOwn(sources, path))
    .flatMap(([, file]) => Object.entries(file))
    .sort(([left], [right]) => (left < right ? -1 : 1));
}

/** The runtime bytecode of the system contracts by name, as 0x-prefixed hexadecimal. */
export function compileSources(): Record<string, string> {
  return Object.fromEntries(
    compile(readSources()).map(([name, { evm }]) => [name, runtimeOf(name, evm.deployedBytecode)]),
  );
}

/** Genesis contracts are not deployed, so no constructor fills in their immutables. */
function runtimeOf(name: string, { object, immutableReferences }: Bytecode): string {
  if (Object.keys(immutableReferences ?? {}).length > 0)
    throw new Error(`${name} has immutables, which a genesis contract cannot have`);
  return `0x${object}`;
}
