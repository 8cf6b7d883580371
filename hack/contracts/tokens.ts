import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from '../lib/lock.ts';
import { type CompiledContract, compile, type FindImport, hashSources, readTokenSources } from './compile.ts';
import { contractPackages, ensurePackages, packageFolder } from './packages.ts';
import { tokenContractsFolder } from './paths.ts';
import { type ContractSource, contractSuites } from './suites.ts';

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
  const lock = { path: `${tokenContractsFolder}.lock`, purpose: 'compiling the token contracts' };
  await withLock(lock, async () => {
    if (!isCurrent()) writeSuites(stamp);
  });
  return tokenContractsFolder;
}

/** Writes to a temporary folder and renames it, so that readers never see a partial result. */
function writeSuites(stamp: string): void {
  const own = new Map(compile(readTokenSources(), findImport));
  const draft = `${tokenContractsFolder}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  for (const [suite, sources] of Object.entries(contractSuites)) {
    const contracts = Object.fromEntries(
      Object.entries(sources).map(([name, source]) => [name, artifactOf(source, own)]),
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

function artifactOf(source: ContractSource, own: Map<string, CompiledContract>): Artifact {
  if ('own' in source) return ownArtifact(source.own, own.get(source.own));
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

function ownArtifact(name: string, compiled: CompiledContract | undefined): Artifact {
  if (!compiled) throw new Error(`contracts/ does not define ${name}`);
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

/** Imports consist of a package name and a path; the compiler has already resolved relative ones. */
const findImport: FindImport = (path) => {
  const owner = contractPackages.find(({ name }) => path.startsWith(`${name}/`));
  if (!owner) return { error: `${path} does not belong to a package in packages.json` };
  try {
    const file = join(packageFolder(owner.name), path.slice(owner.name.length + 1));
    return { contents: readFileSync(file, 'utf8') };
  } catch (error) {
    return { error: String(error) };
  }
};
