import { existsSync, globSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from '../lib/lock.ts';
import { cachePath } from '../lib/paths.ts';
import { run, tryRun } from '../lib/run.ts';

/**
 * A program of a Debian package, for tests: apt downloads and verifies the package, and the cache keeps its files. Nothing
 * is installed and no service started. Undefined where apt does not have it.
 */
export async function debianProgram(name: string, program: string): Promise<string | undefined> {
  const folder = cachePath('debian', name);
  const path = join(folder, program);
  if (existsSync(path)) return path;
  if ((await tryRun('apt-cache', ['show', name])).code !== 0) return undefined;
  mkdirSync(cachePath('debian'), { recursive: true });
  await withLock({ path: `${folder}.lock`, purpose: `unpacking ${name}` }, async () => {
    if (!existsSync(path)) await unpack(name, folder);
  });
  return path;
}

async function unpack(name: string, folder: string): Promise<void> {
  const draft = mkdtempSync(`${folder}-`);
  try {
    await run('apt-get', ['download', name], { cwd: draft, remedy: 'run `apt-get update`' });
    for (const archive of globSync('*.deb', { cwd: draft })) {
      await run('dpkg-deb', ['--extract', archive, 'files'], { cwd: draft });
    }
    rmSync(folder, { recursive: true, force: true });
    renameSync(join(draft, 'files'), folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
