import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { cachePath } from '../lib/paths.ts';
import { step } from '../lib/progress.ts';
import { baseImages, namedBaseImages } from './base.ts';
import { hashContext } from './context.ts';
import { type DockerfileBuild, findEngine } from './engine.ts';
import { type BuiltImage, cachedImage, storeImage } from './store.ts';

/**
 * Builds a Dockerfile into a docker-archive, with Docker when it is running, otherwise with buildah.
 * Returns the cached image when the Dockerfile, context, arguments and base images have not changed.
 * First builds the base images from base.ts that the Dockerfile or the arguments refer to.
 * Throws UserError with the last lines of the build's output when the build fails.
 */
export async function buildImage(build: DockerfileBuild): Promise<BuiltImage> {
  const dockerfile = readFileSync(build.dockerfile, 'utf8');
  const names = namedBaseImages([dockerfile, ...Object.values(build.buildArgs ?? {})]);
  const bases = await Promise.all(names.map((name) => baseImage(name)));
  const inputHash = hashInputs(build, dockerfile, bases);
  const cached = cachedImage(build.name, inputHash);
  if (cached) return cached;
  return step(`building image ${build.name}`, async (note) => {
    const engine = await findEngine();
    const logFile = cachePath('logs', `image-${build.name.replace(/[^a-z0-9]+/gi, '-')}.log`);
    return storeImage(build.name, inputHash, (tar) =>
      engine({ ...build, bases }, tar, { logFile, onLine: note }),
    );
  });
}

async function baseImage(name: string): Promise<BuiltImage> {
  const make = baseImages[name];
  if (!make) throw new Error(`unknown base image: ${name}`);
  return make();
}

function hashInputs(build: DockerfileBuild, dockerfile: string, bases: BuiltImage[]): string {
  const facts = [dockerfile, hashContext(build.context), build.buildArgs ?? {}, bases.map((base) => base.id)];
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex');
}
