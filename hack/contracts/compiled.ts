import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { cachePath } from '../lib/paths.ts';
import { writeWhole } from '../lib/wholeFile.ts';
import type { CompiledContract, Compiler } from './compile.ts';
import { packageFolder } from './packages.ts';

type Contracts = [string, CompiledContract][];

/** Contracts that take long to compile, from the cache if they were made from the same facts before. */
export function compiledOnce(name: string, facts: unknown, work: () => Contracts): Contracts {
  const hash = createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 16);
  const file = cachePath('contracts', `${name}-${hash}.json`);
  const found = readIfAny(file);
  if (found !== undefined) return JSON.parse(found);
  const contracts = work();
  writeWhole(file, JSON.stringify(contracts));
  return contracts;
}

/** An older compiler in the interface of the installed one, whose other dependencies it shares. */
export function pinnedCompiler(version: string): Compiler {
  const require = createRequire(import.meta.url);
  return require('solc/wrapper')(require(join(packageFolder('solc', version), 'soljson.js')));
}

function readIfAny(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
