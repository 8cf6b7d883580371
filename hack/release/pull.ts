import { messageOf } from '../../core/lib/errors.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { createClient } from '../images/registry/client.ts';
import { readManifest } from '../images/registry/manifest.ts';
import { parseRegistry, type RegistryPath, repositoryIn } from '../images/registry/reference.ts';
import { say, step } from '../lib/progress.ts';
import { UserError } from '../lib/run.ts';
import { ownEngines } from '../up/heavyEngines.ts';
import type { NamedImage, ProjectImages } from '../up/images.ts';
import { releasedCheckout, releaseRegistry } from './checkout.ts';

/** The release that a checkout is, with its registry. */
export interface PullableRelease {
  version: string;
  registry: RegistryPath;
}

/** The release whose images this checkout can have instead of its own; undefined when they have to be built. */
export async function pullableRelease(folder?: string): Promise<PullableRelease | undefined> {
  const release = await releasedCheckout(folder);
  const registry = releaseRegistry(release?.repository);
  return release && registry ? { version: release.version, registry: parseRegistry(registry) } : undefined;
}

/**
 * Pulls the images that every installation needs into the nodes of the cluster. Those of engines are only named: they are pulled when a
 * network wants them. Undefined where the nodes pull nothing, or cannot; then says why in one line.
 */
export async function pullImages(
  release: PullableRelease,
  { pullImage }: Pick<Cluster, 'pullImage'>,
): Promise<ProjectImages<NamedImage> | undefined> {
  if (!pullImage) return undefined;
  const pull = async (name: string) => {
    const image = await imageOf(release, name);
    const reference = `${image.repository}@${image.digest}`;
    await step(`pulling ${image.repository}:${image.tag}`, () => pullImage(reference));
    return image;
  };
  try {
    const service = await pull('service');
    const evmDev = await pull('evm-dev');
    const compilers = await pull('compilers');
    return { service, evmDev, compilers, heavy: await enginesOf(release) };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    say(`  the images of ${release.version} cannot be pulled, so they are built: ${firstLine(error)}`);
    return undefined;
  }
}

const firstLine = (error: UserError) => messageOf(error).split('\n', 1)[0];

/** Those of the engines that only Slipway publishes. The builder makes what the release does not have. */
async function enginesOf(release: PullableRelease): Promise<ProjectImages<NamedImage>['heavy']> {
  const heavy: ProjectImages<NamedImage>['heavy'] = {};
  for (const name of ownEngines) {
    const image = await findImage(release, name);
    if (image) heavy[name] = image;
  }
  return heavy;
}

async function imageOf(release: PullableRelease, name: string): Promise<NamedImage> {
  const image = await findImage(release, name);
  if (image) return image;
  throw new UserError(
    `${release.registry.host} has no ${repositoryIn(release.registry, name)}:${release.version}`,
  );
}

/** An image of the release, by its digest; undefined when it was not published. */
async function findImage(
  { version, registry }: PullableRelease,
  name: string,
): Promise<NamedImage | undefined> {
  const repository = repositoryIn(registry, name);
  const client = await createClient(registry, repository, 'pull');
  const manifest = await readManifest(client, version);
  return manifest && { repository: `${registry.host}/${repository}`, tag: version, digest: manifest.digest };
}
