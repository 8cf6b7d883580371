import type { Submission } from '../../../../sdk/src/generated/types.ts';

/** What was last known of a submission: the stream forgets the older ones of those that are settled. */
export function createFollowing() {
  const known = new Map<string, Submission>();
  return (key: string, now: Submission | undefined): Submission | undefined => {
    if (now) known.set(key, now);
    return now ?? known.get(key);
  };
}
