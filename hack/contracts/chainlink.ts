import { readFileSync } from 'node:fs';
import { type CompiledContract, compile } from './compile.ts';
import { compiledOnce, pinnedCompiler } from './compiled.ts';
import { findImport } from './findImport.ts';
import { contractPackages, importedFile } from './packages.ts';

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

const compilerVersion = '0.8.19';
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
  const facts = [files, settings, compilerVersion, contractPackages];
  const contracts = compiledOnce('chainlink', facts, () => {
    const sources = Object.fromEntries(files.map((path) => [path, { content: contentOf(path) }]));
    return compile(sources, findImport, { compiler: pinnedCompiler(compilerVersion), settings });
  });
  return new Map(contracts);
}

function contentOf(path: string): string {
  return readFileSync(importedFile(path) ?? path, 'utf8');
}
