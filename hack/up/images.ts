import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CC_IMAGE, NODE_IMAGE } from '../images/base.ts';
import { buildImage } from '../images/build.ts';
import { hashContext } from '../images/context.ts';
import { dropOtherTags } from '../images/store.ts';
import { projectRoot } from '../lib/paths.ts';
import { step } from '../lib/progress.ts';
import { run } from '../lib/run.ts';
import type { ImageArchiveFile } from '../nativeNode/containers.ts';
import { stageCompilers } from './compilers.ts';
import { stageEvmDev } from './engines.ts';
import { builtEngines, type HeavyEngine, heavyEngines, stageHeavy } from './heavyEngines.ts';

/** An image as the cluster has it, or can pull it. */
export interface NamedImage {
  repository: string;
  tag: string;
  /** `sha256:…` of its manifest, in a registry. */
  digest?: string;
}

/** An image of this checkout as a docker-archive. The tag is a hash of all its inputs. */
export interface TaggedImage extends NamedImage {
  tar: string;
}

export interface ProjectImages<Image extends NamedImage = TaggedImage> {
  service: Image;
  evmDev: Image;
  compilers: Image;
  /** The engines whose programs were in the cache, or that a release has. */
  heavy: Partial<Record<HeavyEngine, Image>>;
}

interface ImageSource {
  repository: string;
  dockerfile: string;
  context: string;
  buildArgs: Record<string, string>;
}

/** What images are built on: files of this machine, or the public images that the Dockerfiles name. */
export type Bases = 'machine' | 'public';

/** On other systems than Linux, Docker pulls the public ones. */
const usualBases: Bases = process.platform === 'linux' ? 'machine' : 'public';

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
export async function buildHeavyImages(
  names: readonly HeavyEngine[],
  bases = usualBases,
): Promise<ProjectImages['heavy']> {
  const images: ProjectImages['heavy'] = {};
  for (const name of names) {
    const { program, dockerfile, base } = heavyEngines[name];
    images[name] = await buildTagged({
      repository: `localhost/slipway/${name}`,
      dockerfile,
      context: stageHeavy(name),
      buildArgs: { PROGRAM: program, ...onMachine(bases, { BASE_IMAGE: base }) },
    });
  }
  return images;
}

/** `npm run build` has bundled what is in it. */
export function buildServiceImage(bases = usualBases): Promise<TaggedImage> {
  return buildTagged({
    repository: 'localhost/slipway/service',
    dockerfile: join(projectRoot, 'Dockerfile'),
    context: projectRoot,
    buildArgs: onMachine(bases, { NODE_IMAGE }),
  });
}

export function buildEvmDevImage(context: string, bases = usualBases): Promise<TaggedImage> {
  return buildTagged({
    repository: 'localhost/slipway/evm-dev',
    dockerfile: join(projectRoot, 'engines', 'evm-dev', 'Dockerfile'),
    context,
    buildArgs: onMachine(bases, { BASE_IMAGE: CC_IMAGE }),
  });
}

export function buildCompilersImage(context: string, bases = usualBases): Promise<TaggedImage> {
  return buildTagged({
    repository: 'localhost/slipway/compilers',
    dockerfile: join(projectRoot, 'engines', 'compilers', 'Dockerfile'),
    context,
    buildArgs: onMachine(bases, { NODE_IMAGE }),
  });
}

function onMachine(bases: Bases, buildArgs: Record<string, string>): Record<string, string> {
  return bases === 'machine' ? buildArgs : {};
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
