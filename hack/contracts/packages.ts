import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from '../lib/lock.ts';
import { cachePath } from '../lib/paths.ts';
import { run, UserError } from '../lib/run.ts';

/** A package whose contracts are used. It is fetched without what it depends on. */
export interface ContractPackage {
  name: string;
  version: string;
  licence: string;
  /** Checksum of the archive, as npm writes it: `sha512-` and base64. */
  integrity: string;
}

/** All packages, pinned. docs/licences.md says what each is for. */
export const contractPackages: readonly ContractPackage[] = JSON.parse(
  readFileSync(join(import.meta.dirname, 'packages.json'), 'utf8'),
);

/** Where a package lies once `ensurePackages` is done: its files as in the archive. */
export function packageFolder(name: string): string {
  const found = contractPackages.find((one) => one.name === name);
  if (!found) throw new Error(`${name} is not in packages.json`);
  return join(folderOf(found), 'package');
}

/**
 * Fetches every package that the cache does not hold, side by side, and checks it against its checksum.
 * Throws UserError when npm cannot reach its registry, or when an archive is another than the pinned one.
 */
export async function ensurePackages(): Promise<void> {
  if (contractPackages.every(isThere)) return;
  await withLock(cachePath('contract-packages.lock'), 'fetching contract packages', async () => {
    await Promise.all(contractPackages.filter((one) => !isThere(one)).map(fetchPackage));
  });
}

const isThere = (one: ContractPackage) => existsSync(folderOf(one));

/** The checksum is part of the name, so that a changed pin is fetched again. */
function folderOf({ name, version, integrity }: ContractPackage): string {
  const slug = `${name.replace(/[^a-z0-9]+/gi, '-').replace(/^-/, '')}-${version}`;
  const short = createHash('sha256').update(integrity).digest('hex').slice(0, 12);
  return cachePath('contract-packages', `${slug}-${short}`);
}

async function fetchPackage(one: ContractPackage): Promise<void> {
  mkdirSync(cachePath('contract-packages'), { recursive: true });
  const draft = mkdtempSync(cachePath('contract-packages', '.draft-'));
  try {
    const names = await run('npm', ['pack', `${one.name}@${one.version}`, '--silent'], {
      cwd: draft,
      timeoutMs: 180_000,
      remedy: `check that npm can reach its registry: the token contracts need ${one.name}`,
    });
    const archive = join(draft, names.trim().split('\n').at(-1) ?? '');
    checkIntegrity(one, readFileSync(archive));
    await run('tar', ['-xzf', archive], { cwd: draft });
    rmSync(archive);
    renameSync(draft, folderOf(one));
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Throws UserError when `archive` is not the one that is pinned. */
export function checkIntegrity(one: ContractPackage, archive: Buffer): void {
  const actual = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
  if (actual === one.integrity) return;
  throw new UserError(
    `${one.name}@${one.version} is not what hack/contracts/packages.json pins: ${actual} instead of ${one.integrity}`,
  );
}
