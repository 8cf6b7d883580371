import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { projectRoot } from '../lib/paths.ts';
import { sourceFolder } from './paths.ts';

/** The parts of the compiler's package that are used; it has no types of its own. */
interface Compiler {
  compile(input: string): string;
}

interface CompilerOutput {
  errors?: { severity: string; formattedMessage: string }[];
  contracts?: Record<string, Record<string, { evm: { deployedBytecode: DeployedBytecode } }>>;
}

interface DeployedBytecode {
  object: string;
  immutableReferences?: Record<string, unknown>;
}

const settings = {
  // The oldest hardfork of our chains: code for it runs on all later ones.
  evmVersion: 'london',
  optimizer: { enabled: true, runs: 200 },
  // Without metadata the same sources make the same bytes.
  metadata: { appendCBOR: false, bytecodeHash: 'none' },
  outputSelection: {
    '*': { '*': ['evm.deployedBytecode.object', 'evm.deployedBytecode.immutableReferences'] },
  },
};

/** Solidity sources by path from the contracts folder. */
export function readSources(): Record<string, { content: string }> {
  const paths = globSync('**/*.sol', { cwd: sourceFolder }).sort();
  return Object.fromEntries(
    paths.map((path) => [path, { content: readFileSync(join(sourceFolder, path), 'utf8') }]),
  );
}

/** Changes with the sources, the compiler's settings and the compiler. */
export function hashSources(): string {
  const manifest = readFileSync(join(projectRoot, 'node_modules', 'solc', 'package.json'), 'utf8');
  const { version }: { version: string } = JSON.parse(manifest);
  return createHash('sha256')
    .update(JSON.stringify([readSources(), settings, version]))
    .digest('hex');
}

/** Runtime bytecode by contract name, 0x-hexadecimal. Throws Error with all that the compiler has to say. */
export function compileSources(): Record<string, string> {
  const compiler: Compiler = createRequire(import.meta.url)('solc');
  const input = { language: 'Solidity', sources: readSources(), settings };
  const output: CompilerOutput = JSON.parse(compiler.compile(JSON.stringify(input)));
  const errors = output.errors?.filter(({ severity }) => severity === 'error') ?? [];
  if (errors.length > 0) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join('\n'));
  const contracts = Object.values(output.contracts ?? {}).flatMap((file) => Object.entries(file));
  return Object.fromEntries(
    contracts
      .map(([name, { evm }]): [string, string] => [name, runtimeOf(name, evm.deployedBytecode)])
      .sort(([left], [right]) => (left < right ? -1 : 1)),
  );
}

/** Code that is placed, not deployed, has no constructor to fill immutables in. */
function runtimeOf(name: string, { object, immutableReferences }: DeployedBytecode): string {
  if (Object.keys(immutableReferences ?? {}).length > 0) throw new Error(`${name} has immutables`);
  return `0x${object}`;
}
