import { pushImage } from '../images/registry/push.ts';
import { type RegistryPath, repositoryIn } from '../images/registry/reference.ts';
import { step } from '../lib/progress.ts';
import type { ProjectImages, TaggedImage } from './images.ts';

/** Pushes the images, which are then named by their digests in the registry. Those that are there already stay. */
export async function pushImages(registry: RegistryPath, images: ProjectImages): Promise<ProjectImages> {
  const { heavy, service, evmDev, compilers } = images;
  const pushed = {
    service: await pushOne(registry, service),
    evmDev: await pushOne(registry, evmDev),
    compilers: await pushOne(registry, compilers),
  };
  const engines: [string, TaggedImage][] = [];
  for (const [name, image] of Object.entries(heavy)) engines.push([name, await pushOne(registry, image)]);
  return { ...pushed, heavy: Object.fromEntries(engines) };
}

async function pushOne(registry: RegistryPath, image: TaggedImage): Promise<TaggedImage> {
  const name = image.repository.replace(/^.*\//, '');
  const repository = `${registry.host}/${repositoryIn(registry, name)}`;
  const digest = await step(`pushing ${repository}:${image.tag}`, () =>
    pushImage(registry, { name, tag: image.tag, tar: image.tar }),
  );
  return { ...image, repository, digest };
}
