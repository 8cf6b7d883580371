import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { projectRoot } from '../lib/paths.ts';
import { sourceFolder } from './paths.ts';

/** Solidity sources by path from the contracts folder. */
export type Sources = Record<string, { content: string }>;

/** Answers an imported source, or why there is none. */
export type FindImport = (path: string) => { contents: string } | { error: string };

/** The parts of the compiler's package that are used; it has no types of its own. */
interface Compiler {
  compile(input: string, callbacks?: { import: FindImport }): string;
}

/** A contract as the compiler puts it out. */
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

const settings = {
  // The oldest hardfork of our chains: code for it runs on all later ones.
  evmVersion: 'london',
  optimizer: { enabled: true, runs: 200 },
  // Without metadata the same sources make the same bytes.
  metadata: { appendCBOR: false, bytecodeHash: 'none' },
  outputSelection: {
    '*': {
      '*': [
        'abi',
        'evm.bytecode.object',
        'evm.deployedBytecode.object',
        'evm.deployedBytecode.immutableReferences',
      ],
    },
  },
};

/** Contracts that are deployed lie in this folder; all others are placed into the first state of a chain. */
const deployedFolder = 'tokens/';

/** Sources of the system contracts. */
export function readSources(): Sources {
  return readFolder((path) => !path.startsWith(deployedFolder));
}

/** Sources of the contracts that tokens need, with the system contracts that are deployed as well. */
export function readTokenSources(): Sources {
  return readFolder((path) => path.startsWith(deployedFolder) || path === 'WrappedNative.sol');
}

function readFolder(isWanted: (path: string) => boolean): Sources {
  const paths = globSync('**/*.sol', { cwd: sourceFolder }).filter(isWanted).sort();
  return Object.fromEntries(
    paths.map((path) => [path, { content: readFileSync(join(sourceFolder, path), 'utf8') }]),
  );
}

/** Changes with the sources, the compiler's settings, the compiler and `more`. */
export function hashSources(sources: Sources = readSources(), more: unknown = ''): string {
  const manifest = readFileSync(join(projectRoot, 'node_modules', 'solc', 'package.json'), 'utf8');
  const { version }: { version: string } = JSON.parse(manifest);
  return createHash('sha256')
    .update(JSON.stringify([sources, settings, version, more]))
    .digest('hex');
}

/** Every contract of `sources` by name. Throws Error with all that the compiler has to say. */
export function compile(sources: Sources, findImport?: FindImport): [string, CompiledContract][] {
  const compiler: Compiler = createRequire(import.meta.url)('solc');
  const input = JSON.stringify({ language: 'Solidity', sources, settings });
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

/** Runtime bytecode of the system contracts by name, 0x-hexadecimal. */
export function compileSources(): Record<string, string> {
  return Object.fromEntries(
    compile(readSources()).map(([name, { evm }]) => [name, runtimeOf(name, evm.deployedBytecode)]),
  );
}

/** Code that is placed, not deployed, has no constructor to fill immutables in. */
function runtimeOf(name: string, { object, immutableReferences }: Bytecode): string {
  if (Object.keys(immutableReferences ?? {}).length > 0) throw new Error(`${name} has immutables`);
  return `0x${object}`;
}
