import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from '../lib/lock.ts';
import { cachePath } from '../lib/paths.ts';
import { run, UserError } from '../lib/run.ts';

/** An npm package whose contracts are used. It is downloaded without its dependencies. */
export interface ContractPackage {
  name: string;
  version: string;
  licence: string;
  /** The checksum of the archive in npm's format: `sha512-` and base64. */
  integrity: string;
}

/** All pinned packages. docs/licences.md says what each one is for. */
export const contractPackages = listIn('packages.json');
/** Older releases of the compiler, for sources that insist on them. */
const compilers = listIn('compilers.json');
const pinned = [...contractPackages, ...compilers];

function listIn(file: string): readonly ContractPackage[] {
  return JSON.parse(readFileSync(join(import.meta.dirname, file), 'utf8'));
}

/** The folder of a package after `ensurePackages`, with the files of its archive: of its first release in the list. */
export function packageFolder(name: string): string {
  const found = pinned.find((one) => one.name === name);
  if (!found) throw new Error(`${name} is not in packages.json`);
  return join(folderOf(found), 'package');
}

/** The file that a source imports by `PACKAGE/PATH` or `PACKAGE@VERSION/PATH`; undefined when no package has that name. */
export function importedFile(path: string): string | undefined {
  for (const one of contractPackages) {
    const prefix = [`${one.name}@${one.version}/`, `${one.name}/`].find((text) => path.startsWith(text));
    if (prefix !== undefined) return join(folderOf(one), 'package', path.slice(prefix.length));
  }
  return undefined;
}

/**
 * Downloads every package that is not in the cache, in parallel, and verifies its checksum.
 * Throws UserError when npm cannot reach its registry or a checksum does not match.
 */
export async function ensurePackages(): Promise<void> {
  if (pinned.every(isCached)) return;
  const lock = { path: cachePath('contract-packages.lock'), purpose: 'downloading contract packages' };
  await withLock(lock, async () => {
    await Promise.all(pinned.filter((one) => !isCached(one)).map(fetchPackage));
  });
}

const isCached = (one: ContractPackage) => existsSync(folderOf(one));

/** The checksum is part of the name, so that a changed pin is downloaded again. */
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

/** Throws UserError when the checksum of `archive` is not the pinned one. */
export function checkIntegrity(one: ContractPackage, archive: Buffer): void {
  const actual = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
  if (actual === one.integrity) return;
  throw new UserError(
    `${one.name}@${one.version}: the checksum is ${actual}, but hack/contracts pins ${one.integrity}`,
  );
}
