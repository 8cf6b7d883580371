import { gitIn } from '../lib/git.ts';
import { projectRoot } from '../lib/paths.ts';

/** From this release on, a release takes over what the one before it stored (docs/decisions/0085-upgrades.md). */
const policySince = [0, 3, 0];

/** The release that an upgrade to this checkout comes from. */
export interface Previous {
  /** A tag, or the commit of this checkout while no release is covered. */
  ref: string;
  why: string;
}

/**
 * The newest release before this checkout that the policy covers. There is none before the first such release is tagged:
 * then the last commit takes its place, and the upgrade is to what the working tree has beyond it.
 */
export async function previousRelease(git = gitIn(projectRoot)): Promise<Previous> {
  const isTagged = (await git('describe', '--tags', '--exact-match', '--match', 'v*')) !== undefined;
  const newest = await git('describe', '--tags', '--abbrev=0', '--match', 'v*', isTagged ? 'HEAD^' : 'HEAD');
  if (newest !== undefined && isCovered(newest))
    return { ref: newest, why: 'the newest release before this checkout' };
  const head = (await git('rev-parse', 'HEAD')) ?? 'HEAD';
  return { ref: head, why: `no release since v${policySince.join('.')} is tagged before this checkout` };
}

function isCovered(tag: string): boolean {
  const parts = tag.slice(1).split('.').map(Number);
  const first = parts.findIndex((part, index) => part !== policySince[index]);
  return first === -1 || (parts[first] ?? 0) > (policySince[first] ?? 0);
}
