import { existsSync, globSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cachePath } from '../lib/paths.ts';
import { run, tryRun } from '../lib/run.ts';

interface Prometheus {
  prometheus: string;
  promtool: string;
}

/**
 * Prometheus from the Debian package of this machine's release, which apt verifies, unpacked into the cache and not
 * installed. Undefined where apt does not have it.
 */
export async function findPrometheus(): Promise<Prometheus | undefined> {
  const version = await candidate();
  if (version === undefined) return undefined;
  const folder = cachePath('bin', `prometheus-${version.replace(/[^\w.+-]/g, '_')}`);
  if (!existsSync(folder)) await unpackInto(folder, version);
  const path = (name: string) => join(folder, 'usr', 'bin', name);
  return { prometheus: path('prometheus'), promtool: path('promtool') };
}

async function candidate(): Promise<string | undefined> {
  const { code, output } = await tryRun('apt-cache', ['policy', 'prometheus']).catch(() => ({
    ...{ code: 1, output: '' },
  }));
  const version = /Candidate: (\S+)/.exec(output)?.[1];
  return code === 0 && version !== '(none)' ? version : undefined;
}

async function unpackInto(folder: string, version: string): Promise<void> {
  mkdirSync(cachePath('bin'), { recursive: true });
  const draft = mkdtempSync(cachePath('bin', '.prometheus-'));
  try {
    await run('apt-get', ['download', `prometheus=${version}`], {
      ...{ cwd: draft, remedy: 'run `apt-get update`, then the command again' },
    });
    const [archive = ''] = globSync('*.deb', { cwd: draft });
    await run('dpkg-deb', ['--extract', archive, join(draft, 'unpacked')], { cwd: draft });
    if (!existsSync(folder)) renameSync(join(draft, 'unpacked'), folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
