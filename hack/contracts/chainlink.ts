import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { cachePath } from '../lib/paths.ts';
import { type CompiledContract, type Compiler, compile } from './compile.ts';
import { findImport } from './findImport.ts';
import { contractPackages, importedFile, packageFolder } from './packages.ts';

/** The sources that are deployed, below the package's folder of Solidity 0.8. */
const files = [
  'operatorforwarder/Operator.sol',
  'shared/token/ERC677/LinkToken.sol',
  'vrf/BatchBlockhashStore.sol',
  'vrf/dev/BatchVRFCoordinatorV2Plus.sol',
  'vrf/dev/BlockhashStore.sol',
  'vrf/dev/VRFCoordinatorV2_5.sol',
  'vrf/dev/VRFV2PlusWrapper.sol',
].map((file) => `@chainlink/contracts/src/v0.8/${file}`);

const settings = {
  evmVersion: 'london',
  // With more runs, the coordinator exceeds the EVM's limit on the size of a contract.
  optimizer: { enabled: true, runs: 500 },
  metadata: { appendCBOR: false, bytecodeHash: 'none' },
};

/**
 * Chainlink's contracts by name, compiled from the package's sources with the compiler that they insist on. That takes
 * half a minute, so the output is kept in the cache. Needs `ensurePackages`. Throws Error with the compiler's messages.
 */
export function chainlinkContracts(): ReadonlyMap<string, CompiledContract> {
  const facts = [files, settings, packageFolder('solc'), contractPackages];
  const hash = createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 16);
  const file = cachePath('contracts', `chainlink-${hash}.json`);
  const found = readIfAny(file);
  if (found !== undefined) return new Map(JSON.parse(found));
  const sources = Object.fromEntries(files.map((path) => [path, { content: contentOf(path) }]));
  const contracts = compile(sources, findImport, { compiler: pinnedCompiler(), settings });
  mkdirSync(cachePath('contracts'), { recursive: true });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(contracts));
  renameSync(draft, file);
  return new Map(contracts);
}

function contentOf(path: string): string {
  return readFileSync(importedFile(path) ?? path, 'utf8');
}

/** The older compiler in the interface of the installed one, whose other dependencies it shares. */
function pinnedCompiler(): Compiler {
  const require = createRequire(import.meta.url);
  return require('solc/wrapper')(require(join(packageFolder('solc'), 'soljson.js')));
}

function readIfAny(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
