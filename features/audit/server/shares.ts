import type { AuditRecord } from '../api/audit.ts';

/** Whose share of the kept entries an entry takes: what a user was refused has one of its own, and displaces nothing that was done. */
export function actorOf({ userID, outcome }: Pick<AuditRecord, 'userID' | 'outcome'>): string {
  return outcome === 'ok' ? userID : `${userID} (refused)`;
}

/**
 * Which entries stay, where at most `most` can: the newest of each actor, as many for each as for any other who has so many. `chunks`
 * has the actor of each entry, oldest first.
 */
export function keptOf(chunks: readonly (readonly string[])[], most: number): boolean[][] {
  const counts = new Map<string, number>();
  for (const actor of chunks.flat()) counts.set(actor, (counts.get(actor) ?? 0) + 1);
  const share = shareOf([...counts.values()], most);
  const seen = new Map<string, number>();
  const isKept = (actor: string): boolean => {
    const newer = seen.get(actor) ?? 0;
    seen.set(actor, newer + 1);
    return newer < share;
  };
  return chunks
    .toReversed()
    .map((actors) => actors.toReversed().map(isKept).reverse())
    .reverse();
}

/** The largest share with which all shares together are at most `most`: who needs less leaves the rest to the others. */
function shareOf(counts: readonly number[], most: number): number {
  const ascending = counts.toSorted((one, other) => one - other);
  let left = most;
  for (const [index, count] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - index));
    if (count > share) return share;
    left -= count;
  }
  return Number.POSITIVE_INFINITY;
}
