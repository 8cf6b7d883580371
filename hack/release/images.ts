import { createClient } from '../images/registry/client.ts';
import { readManifest } from '../images/registry/manifest.ts';
import { pushImage } from '../images/registry/push.ts';
import { type RegistryPath, repositoryIn } from '../images/registry/reference.ts';
import { step } from '../lib/progress.ts';
import { UserError } from '../lib/run.ts';
import type { ReleaseImage } from './names.ts';

/** What is published, where, and what it is made from. */
export interface Release {
  version: string;
  registry: RegistryPath;
  /** The commit. */
  revision: string;
  /** `OWNER/NAME` at GitHub. */
  repository: string;
}

/** The licences of what is in an image beside Slipway's own programs and its base, by their SPDX names. */
const licences: Partial<Record<ReleaseImage, string>> = {
  service: 'MIT AND GPL-3.0-only AND GPL-2.0-or-later AND BUSL-1.1 AND LicenseRef-LZBL-1.2',
  'evm-dev': 'MIT OR Apache-2.0',
  compilers: 'GPL-3.0-only',
  'ethereum-genesis': 'GPL-3.0-only',
  'solana-dev': 'MIT AND MPL-2.0',
  drand: 'Apache-2.0 OR MIT',
  avalanchego: 'BSD-3-Clause AND LGPL-3.0-only',
  graph: 'Apache-2.0 OR MIT',
};

const revisionKey = 'org.opencontainers.image.revision';

/** What images and the chart say about themselves, by the names of the OCI image specification. */
export function annotationsOf({ revision, repository }: Release): Record<string, string> {
  return {
    [revisionKey]: revision,
    'org.opencontainers.image.source': `https://github.com/${repository}`,
  };
}

/**
 * Pushes images from the docker-archives that `archiveOf` names, and returns their digests. What an interrupted run has pushed stays as
 * it is: a version never becomes something else.
 */
export async function publishImages(
  release: Release,
  names: readonly ReleaseImage[],
  archiveOf: (name: ReleaseImage) => string,
): Promise<Map<ReleaseImage, string>> {
  const digests = new Map<ReleaseImage, string>();
  for (const name of names) {
    const present = await publishedDigest(release, name);
    digests.set(name, present ?? (await pushOne(release, name, archiveOf(name))));
  }
  return digests;
}

function pushOne(release: Release, name: ReleaseImage, tar: string): Promise<string> {
  const { registry, version } = release;
  const others = licences[name];
  const annotations = {
    ...annotationsOf(release),
    'org.opencontainers.image.version': version,
    'org.opencontainers.image.licenses': others ? `Apache-2.0 AND (${others})` : 'Apache-2.0',
  };
  return step(`publishing ${registry.host}/${repositoryIn(registry, name)}:${version}`, () =>
    pushImage(registry, { tar, name, tag: version, annotations }),
  );
}

/**
 * The digest under the version's tag of an image or a chart; undefined while there is none. Throws UserError when it was made from
 * another commit.
 */
export async function publishedDigest(
  { registry, version, revision }: Release,
  name: string,
): Promise<string | undefined> {
  const repository = repositoryIn(registry, name);
  const manifest = await readManifest(await createClient(registry, repository), version);
  if (!manifest) return undefined;
  const found = manifest.annotations[revisionKey];
  if (found === revision) return manifest.digest;
  throw new UserError(
    `${registry.host}/${repository}:${version} was published from ${found ?? 'elsewhere'}, not from ${revision}: release the next version instead`,
  );
}
