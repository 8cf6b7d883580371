import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseRegistry } from '../images/registry/reference.ts';
import { gitIn } from '../lib/git.ts';
import { projectRoot } from '../lib/paths.ts';
import { UserError } from '../lib/run.ts';
import type { Release } from './images.ts';

/** The release that a checkout is. */
export interface ReleasedCheckout {
  version: string;
  /** The commit. */
  revision: string;
  /** `OWNER/NAME` at GitHub; undefined when the remote `origin` is elsewhere. */
  repository: string | undefined;
}

/**
 * The release of which a checkout has exactly the files: it is clean, and the tag of its version is at HEAD. Undefined otherwise,
 * and where there is no git.
 */
export async function releasedCheckout(folder = projectRoot): Promise<ReleasedCheckout | undefined> {
  const git = gitIn(folder);
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
  const tags = await git('tag', '--points-at', 'HEAD');
  if (!tags?.split('\n').includes(`v${version}`)) return undefined;
  // New files count as well: images are built from them.
  if ((await git('status', '--porcelain')) !== '') return undefined;
  const revision = await git('rev-parse', 'HEAD');
  if (revision === undefined) return undefined;
  return { version, revision, repository: githubRepository(await git('remote', 'get-url', 'origin')) };
}

/** `OWNER/NAME` of a remote's URL, in any of the forms that git takes. */
function githubRepository(url = ''): string | undefined {
  return /^(?:https:\/\/|ssh:\/\/git@|git@)(?:[^@/]+@)?github\.com[:/]([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/.exec(
    url,
  )?.[1];
}

/** Where the images of a release are: with its repository, unless RELEASE_REGISTRY names another place. */
export function releaseRegistry(repository: string | undefined): string | undefined {
  const { RELEASE_REGISTRY } = process.env;
  return RELEASE_REGISTRY || (repository && `ghcr.io/${repository.toLowerCase()}`);
}

/** The release that this checkout is. Throws UserError for any other one. */
export async function releaseOfCheckout(): Promise<Release> {
  const checkout = await releasedCheckout();
  if (!checkout) {
    throw new UserError(
      'Only a release is published: commit everything, and tag it as v<version of package.json>.',
    );
  }
  const { version, revision, repository } = checkout;
  const registry = releaseRegistry(repository);
  if (!repository || !registry) {
    throw new UserError('The remote `origin` is not at GitHub, whose name images and packages carry.');
  }
  return { version, revision, repository, registry: parseRegistry(registry) };
}
