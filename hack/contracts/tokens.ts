import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ContractSource } from '../../core/tokens/definition.ts';
import { withLock } from '../lib/lock.ts';
import { chainlinkContracts } from './chainlink.ts';
import { type CompiledContract, compile, hashSources, readTokenSources } from './compile.ts';
import { findImport } from './findImport.ts';
import { contractPackages, ensurePackages, packageFolder } from './packages.ts';
import { tokenContractsFolder } from './paths.ts';
import { contractSuites } from './suites.ts';

interface Artifact {
  abi: unknown[];
  /** The creation bytecode without constructor arguments, as 0x-prefixed hexadecimal. */
  bytecode: string;
}

/** The EVM's limit on the size of a contract's code (EIP-170). */
const codeLimit = 24_576;

/**
 * Builds dist/contracts/tokens from our own sources and the pinned packages: one file per suite with the ABI and
 * bytecode of each deployed contract. Does nothing when the folder is up to date. Returns the folder.
 * Throws UserError when a package cannot be downloaded, and Error with the compiler's error messages.
 */
export async function buildTokenContracts(): Promise<string> {
  const stamp = hashSources(readTokenSources(), [contractPackages, contractSuites]);
  const isCurrent = () => builtFrom() === stamp;
  if (isCurrent()) return tokenContractsFolder;
  await ensurePackages();
  const lock = {
    path: `${tokenContractsFolder}.lock`,
    purpose: 'compiling the contracts of tokens and plugins',
  };
  await withLock(lock, async () => {
    if (!isCurrent()) writeSuites(stamp);
  });
  return tokenContractsFolder;
}

/** Writes to a temporary folder and renames it, so that readers never see a partial result. */
function writeSuites(stamp: string): void {
  const compiled: Compiled = {
    own: new Map(compile(readTokenSources(), findImport)),
    chainlink: chainlinkContracts(),
  };
  const draft = `${tokenContractsFolder}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  for (const [suite, sources] of Object.entries(contractSuites)) {
    const contracts = Object.fromEntries(
      Object.entries(sources).map(([name, source]) => [name, artifactOf(source, compiled)]),
    );
    writeFileSync(join(draft, `${suite}.json`), `${JSON.stringify({ contracts })}\n`);
  }
  rmSync(stampFile, { force: true });
  rmSync(tokenContractsFolder, { recursive: true, force: true });
  renameSync(draft, tokenContractsFolder);
  writeFileSync(stampFile, stamp);
}

/** Written last, so that an interrupted build runs again. */
const stampFile = `${tokenContractsFolder}.sources`;

function builtFrom(): string | undefined {
  try {
    return readFileSync(stampFile, 'utf8');
  } catch {
    return undefined;
  }
}

/** What was compiled, by the name of the contract. */
interface Compiled {
  own: ReadonlyMap<string, CompiledContract>;
  chainlink: ReadonlyMap<string, CompiledContract>;
}

function artifactOf(source: ContractSource, { own, chainlink }: Compiled): Artifact {
  if ('own' in source) return compiledArtifact(source.own, own.get(source.own));
  if ('chainlink' in source) return compiledArtifact(source.chainlink, chainlink.get(source.chainlink));
  if ('ccip' in source) {
    const folder = packageFolder('@chainlink/contracts-ccip');
    const bytecode = readFileSync(join(folder, 'bytecode', `${source.ccip}.bin`), 'utf8').trim();
    return toArtifact(JSON.parse(readFileSync(join(folder, 'abi', `${source.ccip}.json`), 'utf8')), bytecode);
  }
  const { abi, bytecode }: { abi: unknown[]; bytecode: string } = JSON.parse(
    readFileSync(join(packageFolder(source.package), source.artifact), 'utf8'),
  );
  return toArtifact(abi, bytecode);
}

function compiledArtifact(name: string, compiled: CompiledContract | undefined): Artifact {
  if (!compiled) throw new Error(`no source defines ${name}`);
  const bytes = compiled.evm.deployedBytecode.object.length / 2;
  if (bytes > codeLimit)
    throw new Error(`${name} has ${bytes} bytes of code, over the limit of ${codeLimit}`);
  return toArtifact(compiled.abi, compiled.evm.bytecode.object);
}

function toArtifact(abi: unknown[], bytecode: string): Artifact {
  const hex = bytecode.replace(/^0x/, '').toLowerCase();
  if (!/^([0-9a-f]{2})+$/.test(hex)) throw new Error('the bytecode is not hexadecimal: it may need linking');
  return { abi, bytecode: `0x${hex}` };
}
