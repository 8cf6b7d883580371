import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run, tryRun, UserError } from '../lib/run.ts';
import { type BuiltImage, idFromManifest } from './store.ts';

export interface DockerfileBuild {
  /** The image's name, including the tag. */
  name: string;
  /** Path of the Dockerfile. */
  dockerfile: string;
  /** The folder that the Dockerfile copies from. */
  context: string;
  buildArgs?: Record<string, string>;
}

interface EngineOptions {
  logFile: string;
  onLine: (line: string) => void;
}

interface EngineBuild extends DockerfileBuild {
  bases: BuiltImage[];
}

/** Builds a Dockerfile on top of its base images into the docker-archive `tar` and returns the image's id. */
export type Engine = (build: EngineBuild, tar: string, options: EngineOptions) => Promise<string>;

/** True when a Docker engine is running. */
export async function hasDocker(): Promise<boolean> {
  const answer = await tryRun('docker', ['info', '--format', '{{.ServerVersion}}'], { timeoutMs: 10_000 });
  return answer.code === 0 && /^\d/.test(answer.stdout);
}

/** Docker when it is running, otherwise buildah; throws UserError when neither is available. */
export async function findEngine(): Promise<Engine> {
  if (await hasDocker()) return buildWithDocker;
  const hasBuildah = (await tryRun('buildah', ['--version'])).code === 0;
  if (hasBuildah) return buildWithBuildah;
  throw new UserError(
    'Building images needs Docker or buildah. On Debian or Ubuntu, run: apt-get install buildah',
  );
}

const buildWithDocker: Engine = async (build, tar, options) => {
  for (const base of build.bases) await run('docker', ['load', '--input', base.tar], options);
  // Clients without the buildx component cannot use BuildKit; no Dockerfile here needs it.
  const hasBuildKit = (await tryRun('docker', ['buildx', 'version'])).code === 0;
  const env = { DOCKER_BUILDKIT: hasBuildKit ? '1' : '0' };
  await run('docker', ['build', ...commonArguments(build)], { ...options, env });
  await run('docker', ['save', '--output', tar, build.name], options);
  return idOf(tar);
};

/** Uses temporary storage, so that nothing stays in the machine's image store. */
const buildWithBuildah: Engine = async (build, tar, options) => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-buildah-'));
  const env = { STORAGE_DRIVER: 'vfs', BUILDAH_ISOLATION: 'chroot' };
  const storage = ['--root', join(folder, 'root'), '--runroot', join(folder, 'run')];
  const buildah = (...args: string[]) => run('buildah', [...storage, ...args], { ...options, env });
  try {
    for (const base of build.bases) await buildah('pull', `docker-archive:${base.tar}`);
    await buildah('bud', '--pull-never', '--layers=false', ...commonArguments(build));
    await buildah('push', build.name, `docker-archive:${tar}:${build.name}`);
    return await idOf(tar);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

function commonArguments(build: DockerfileBuild): string[] {
  const buildArgs = Object.entries(build.buildArgs ?? {}).flatMap(([key, value]) => [
    '--build-arg',
    `${key}=${value}`,
  ]);
  return ['--tag', build.name, '--file', build.dockerfile, ...buildArgs, build.context];
}

async function idOf(tar: string): Promise<string> {
  return idFromManifest(await run('tar', ['-xOf', tar, 'manifest.json']));
}
