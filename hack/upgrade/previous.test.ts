import type { Git } from '../lib/git.ts';
import { previousRelease } from './previous.ts';

const gitWith =
  (tags: { exact?: string; newest?: string }): Git =>
  async (...args) => {
    if (args[0] === 'rev-parse') return 'abc123';
    if (args.includes('--exact-match')) return tags.exact;
    const isBefore = args.at(-1) === 'HEAD^';
    return isBefore === (tags.exact !== undefined) ? tags.newest : undefined;
  };

it.each([
  ['the newest release', { newest: 'v0.4.1' }, 'v0.4.1'],
  ['the first release that the policy covers', { newest: 'v0.3.0' }, 'v0.3.0'],
  ['from a tagged commit, the release before it', { exact: 'v0.4.0', newest: 'v0.3.2' }, 'v0.3.2'],
  ['a release before the policy does not count', { newest: 'v0.2.0' }, 'abc123'],
  ['a later patch of such a release neither', { newest: 'v0.2.9' }, 'abc123'],
  ['there is no release', {}, 'abc123'],
])('what an upgrade comes from: %s', async (_what, tags, ref) => {
  expect((await previousRelease(gitWith(tags))).ref).toBe(ref);
});
