import type { Submission } from '../../../../sdk/src/generated/types.ts';
import { type Selectable, selected } from '../../lib/listFilter.ts';
import type { ListSearch } from '../../lib/listSearch.ts';

/** What the API selects transactions by. */
export const selectableSubmissions: Selectable<Submission> = {
  fields: {
    state: ({ state }) => state,
    network_id: ({ network_id }) => network_id,
    from: ({ from }) => from,
    user_id: ({ user_id }) => user_id,
  },
};

export const keyOf = ({ network_id, hash }: Submission) => `${network_id}/${hash}`;

const order = ['accepted', 'broadcast'];
/** How far a transaction is: one that is settled is the farthest. */
const progressOf = ({ state }: Submission) => (order.includes(state) ? order.indexOf(state) : order.length);

/** Whether something is said of a later attempt, or of the same one when it was as far or farther. */
function isLater(one: Submission, other: Submission): boolean {
  if (one.accepted_at !== other.accepted_at) return one.accepted_at > other.accepted_at;
  return progressOf(one) >= progressOf(other);
}

/**
 * What a list, the newest first, answered and what events told, whichever knows more of each transaction. One that was undone and
 * submitted again is in a list twice: the newest counts.
 */
export function merged(listed: readonly Submission[], live: Iterable<Submission>): Submission[] {
  const byKey = new Map<string, Submission>();
  for (const one of listed) if (!byKey.has(keyOf(one))) byKey.set(keyOf(one), one);
  for (const one of live) {
    const known = byKey.get(keyOf(one));
    if (!known || isLater(one, known)) byKey.set(keyOf(one), one);
  }
  return [...byKey.values()];
}

/** The transactions that match, the newest first. */
export function filterSubmissions(
  all: readonly Submission[],
  { q = '', selector }: ListSearch,
): Submission[] {
  const part = q.trim().toLowerCase();
  return selected(all, selectableSubmissions, selector)
    .filter(({ hash }) => hash.includes(part))
    .sort((a, b) => b.accepted_at.localeCompare(a.accepted_at) || b.nonce - a.nonce);
}

/** The open transactions of one sender on one network. */
export interface Queue {
  network: string;
  sender: string;
  open: number;
  /** Nonce of the first one, which all others wait for. */
  nonce: number;
  oldestAt: string;
  /** What the first one waits for. */
  reason: string;
}

/** Those with a reason to wait first, then the longest. */
export function queuesOf(all: readonly Submission[]): Queue[] {
  const open = all.filter((one) => progressOf(one) < order.length);
  const groups = Map.groupBy(open, ({ network_id, from }) => `${network_id} ${from}`);
  return [...groups.values()]
    .flatMap((group) => {
      const [first] = group.sort((a, b) => a.nonce - b.nonce);
      if (!first) return [];
      const [oldestAt = ''] = group.map(({ accepted_at }) => accepted_at).sort();
      const { network_id: network, from: sender, nonce, message: reason = '' } = first;
      return [{ network, sender, open: group.length, nonce, oldestAt, reason }];
    })
    .sort((a, b) => Number(b.reason !== '') - Number(a.reason !== '') || b.open - a.open);
}
