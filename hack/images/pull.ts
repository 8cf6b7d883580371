import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { step } from '../lib/progress.ts';
import { run, tryRun } from '../lib/run.ts';
import { type BuiltImage, cachedImage, idFromManifest, storeImage } from './store.ts';

const publicRegistry = 'https://registry-1.docker.io';
const probeLimitMs = 3000;
const pullLimitMs = 120_000;

/** Where images of Docker Hub come from: Docker Hub, or the registry at DOWNLOAD_MIRROR. */
function registryUrl(): URL {
  return new URL(process.env.DOWNLOAD_MIRROR || publicRegistry);
}

/** Whether images can be pulled from the internet: a registry that wants a token answers too. */
export async function canPull(): Promise<boolean> {
  try {
    await fetch(new URL('/v2/', registryUrl()), { signal: AbortSignal.timeout(probeLimitMs) });
    return true;
  } catch {
    return false;
  }
}

/** An image of Docker Hub (`name:tag`) as an archive of `image`; undefined where it cannot be pulled. Uses buildah. */
export async function tryPull(name: string, image: string): Promise<BuiltImage | undefined> {
  const cached = cachedImage(image, 'pulled');
  if (cached) return cached;
  if (!(await canPull())) return undefined;
  return step(`pulling ${name}`, () => pull(name, image));
}

async function pull(name: string, image: string): Promise<BuiltImage | undefined> {
  const { host, protocol } = registryUrl();
  const source = `docker://${process.env.DOWNLOAD_MIRROR ? host : 'docker.io'}/${name}`;
  const folder = mkdtempSync(join(tmpdir(), 'slipway-pull-'));
  const storage = ['--root', join(folder, 'root'), '--runroot', join(folder, 'run')];
  const env = { STORAGE_DRIVER: 'vfs' };
  try {
    const flags = protocol === 'http:' ? ['--tls-verify=false'] : [];
    const args = [...storage, 'pull', '--quiet', ...flags, source];
    const answer = await tryRun('buildah', args, { env, timeoutMs: pullLimitMs });
    if (answer.code !== 0) return undefined;
    const id = answer.stdout.trim().split('\n').at(-1) ?? '';
    return await storeImage(image, 'pulled', async (tar) => {
      await run('buildah', [...storage, 'push', id, `docker-archive:${tar}:${image}`], { env });
      return idFromManifest(await run('tar', ['-xOf', tar, 'manifest.json']));
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
