import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ImageArchiveFile } from '../cluster/native/containers.ts';
import { CC_IMAGE, NODE_IMAGE } from '../images/base.ts';
import { buildImage } from '../images/build.ts';
import { hashContext } from '../images/context.ts';
import { dropOtherTags } from '../images/store.ts';
import { projectRoot } from '../lib/paths.ts';
import { step } from '../lib/progress.ts';
import { run } from '../lib/run.ts';
import { stageCompilers } from './compilers.ts';
import { stageEvmDev } from './engines.ts';
import { builtEngines, type HeavyEngine, heavyEngines, stageHeavy } from './heavyEngines.ts';

/** An image of this checkout as a docker-archive. The tag is a hash of all its inputs. */
export interface TaggedImage {
  repository: string;
  tag: string;
  tar: string;
  /** `sha256:…` of its manifest in a registry, once it was pushed. */
  digest?: string;
}

export interface ProjectImages {
  service: TaggedImage;
  evmDev: TaggedImage;
  compilers: TaggedImage;
  /** The engines whose programs were in the cache. */
  heavy: Partial<Record<HeavyEngine, TaggedImage>>;
}

interface ImageSource {
  repository: string;
  dockerfile: string;
  context: string;
  buildArgs: Record<string, string>;
}

/** On Linux the base images are built from files of this machine; on other systems Docker pulls the standard ones. */
const isBaseBuiltLocally = process.platform === 'linux';

/** The build contexts of the images that every installation needs. */
export interface StagedImages {
  evmDev: string;
  compilers: string;
}

/** Bundles the service and stages what the other images are built from, which needs neither a cluster nor a container engine. */
export async function stageImages(): Promise<StagedImages> {
  await step('bundling the service, the console and the contracts', () =>
    run(process.execPath, [join(projectRoot, 'hack', 'build.ts')], { cwd: projectRoot }),
  );
  // The bundle has the process of the compilers.
  return { evmDev: await stageEvmDev(), compilers: await stageCompilers() };
}

/** Builds the images that have changed, except engines that are not in the cache. */
export async function buildImages(staged: StagedImages): Promise<ProjectImages> {
  const service = await buildServiceImage();
  const evmDev = await buildEvmDevImage(staged.evmDev);
  const compilers = await buildCompilersImage(staged.compilers);
  return { service, evmDev, compilers, heavy: await buildHeavyImages(builtEngines()) };
}

/** The images as a cluster loads them. */
export function archivesOf(images: readonly TaggedImage[]): ImageArchiveFile[] {
  return images.map(({ repository, tag, tar }) => ({ image: `${repository}:${tag}`, tar }));
}

/** Builds the images of the given engines, whose programs must be in the cache. */
export async function buildHeavyImages(names: readonly HeavyEngine[]): Promise<ProjectImages['heavy']> {
  const images: ProjectImages['heavy'] = {};
  for (const name of names) {
    const { program, dockerfile, base } = heavyEngines[name];
    images[name] = await buildTagged({
      repository: `localhost/slipway/${name}`,
      dockerfile,
      context: stageHeavy(name),
      buildArgs: { PROGRAM: program, ...(isBaseBuiltLocally ? { BASE_IMAGE: base } : {}) },
    });
  }
  return images;
}

function buildServiceImage(): Promise<TaggedImage> {
  return buildTagged({
    repository: 'localhost/slipway/service',
    dockerfile: join(projectRoot, 'Dockerfile'),
    context: projectRoot,
    buildArgs: isBaseBuiltLocally ? { NODE_IMAGE } : {},
  });
}

function buildEvmDevImage(context: string): Promise<TaggedImage> {
  return buildTagged({
    repository: 'localhost/slipway/evm-dev',
    dockerfile: join(projectRoot, 'engines', 'evm-dev', 'Dockerfile'),
    context,
    buildArgs: isBaseBuiltLocally ? { BASE_IMAGE: CC_IMAGE } : {},
  });
}

function buildCompilersImage(context: string): Promise<TaggedImage> {
  return buildTagged({
    repository: 'localhost/slipway/compilers',
    dockerfile: join(projectRoot, 'engines', 'compilers', 'Dockerfile'),
    context,
    buildArgs: isBaseBuiltLocally ? { NODE_IMAGE } : {},
  });
}

async function buildTagged(source: ImageSource): Promise<TaggedImage> {
  const { repository, ...build } = source;
  const tag = tagOf(source);
  const { tar } = await buildImage({ name: `${repository}:${tag}`, ...build });
  // Every change of the sources creates a new tag.
  dropOtherTags(repository, tag);
  return { repository, tag, tar };
}

function tagOf({ dockerfile, context, buildArgs }: ImageSource): string {
  const facts = [readFileSync(dockerfile, 'utf8'), hashContext(context), buildArgs, process.version];
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 12);
}
