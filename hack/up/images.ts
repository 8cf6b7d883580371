import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CC_IMAGE, NODE_IMAGE } from '../images/base.ts';
import { buildImage } from '../images/build.ts';
import { hashContext } from '../images/context.ts';
import { cachePath, projectRoot } from '../lib/paths.ts';
import { run } from '../lib/run.ts';
import { stageEvmDev } from './engines.ts';
import { builtEngines, type HeavyEngine, heavyEngines, stageHeavy } from './heavyEngines.ts';

/** An image of this checkout as a docker-archive. The tag is a hash of all that went into it. */
export interface TaggedImage {
  repository: string;
  tag: string;
  tar: string;
}

export interface ProjectImages {
  service: TaggedImage;
  evmDev: TaggedImage;
  /** Engines whose programs were in the cache. */
  heavy: Partial<Record<HeavyEngine, TaggedImage>>;
}

interface ImageSource {
  repository: string;
  dockerfile: string;
  context: string;
  buildArgs: Record<string, string>;
}

/** On Linux the bases are made here from files of this machine; elsewhere Docker pulls the usual ones. */
const isBaseMadeHere = process.platform === 'linux';

/** Bundles the service and builds the images, without what takes minutes; what has not changed is not built again. */
export async function buildImages(): Promise<ProjectImages> {
  const service = await buildServiceImage();
  const evmDev = await buildEvmDevImage();
  return { service, evmDev, heavy: await buildHeavyImages(builtEngines()) };
}

/** Images of engines whose programs are in the cache. */
async function buildHeavyImages(names: readonly HeavyEngine[]): Promise<ProjectImages['heavy']> {
  const images: ProjectImages['heavy'] = {};
  for (const name of names) {
    const { program, dockerfile } = heavyEngines[name];
    images[name] = await buildTagged({
      repository: `localhost/slipway/${name}`,
      dockerfile,
      context: stageHeavy(name),
      buildArgs: { PROGRAM: program, ...(isBaseMadeHere ? { BASE_IMAGE: CC_IMAGE } : {}) },
    });
  }
  return images;
}

async function buildServiceImage(): Promise<TaggedImage> {
  await run(process.execPath, [join(projectRoot, 'hack', 'build.ts')], { cwd: projectRoot });
  return buildTagged({
    repository: 'localhost/slipway/service',
    dockerfile: join(projectRoot, 'Dockerfile'),
    context: projectRoot,
    buildArgs: isBaseMadeHere ? { NODE_IMAGE } : {},
  });
}

async function buildEvmDevImage(): Promise<TaggedImage> {
  return buildTagged({
    repository: 'localhost/slipway/evm-dev',
    dockerfile: join(projectRoot, 'engines', 'evm-dev', 'Dockerfile'),
    context: await stageEvmDev(),
    buildArgs: isBaseMadeHere ? { BASE_IMAGE: CC_IMAGE } : {},
  });
}

async function buildTagged(source: ImageSource): Promise<TaggedImage> {
  const { repository, ...build } = source;
  const tag = tagOf(source);
  const { tar } = await buildImage({ name: `${repository}:${tag}`, ...build });
  dropOlder(repository, tag);
  return { repository, tag, tar };
}

function tagOf({ dockerfile, context, buildArgs }: ImageSource): string {
  const facts = [readFileSync(dockerfile, 'utf8'), hashContext(context), buildArgs, process.version];
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 12);
}

/** The cache keeps one archive of each image: every change of the sources makes a new tag. */
function dropOlder(repository: string, tag: string): void {
  const slug = repository.replace(/[^a-zA-Z0-9.-]+/g, '_');
  const folder = cachePath('images');
  for (const file of readdirSync(folder)) {
    if (file.startsWith(`${slug}_`) && !file.startsWith(`${slug}_${tag}`)) rmSync(join(folder, file));
  }
}
