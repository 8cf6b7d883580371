import type {
  RecordedTransaction,
  ReplayDocument,
  ReplayedTransaction,
  ReplayResponse,
  Submission,
} from '../../../../sdk/src/generated/types.ts';
import { texts } from './texts.ts';

/** A recorded transaction beside its replay. */
export interface Pair {
  key: string;
  /** Id of the network of the replay. */
  network: string;
  original: RecordedTransaction | undefined;
  replayed: ReplayedTransaction;
}

/** The answer has the transactions of each network in the order of the recording. */
export function pairsOf(document: ReplayDocument | undefined, outcome: ReplayResponse): Pair[] {
  return Object.entries(outcome.appliedNetworkMapping).flatMap(([recorded, network]) => {
    const originals = document?.networks[recorded]?.transactions ?? [];
    return (outcome.transactions[network] ?? []).map((replayed, index) => {
      const original = originals[index];
      const isSame = original?.hash === replayed.original_hash;
      return { key: `${network}/${index}`, network, original: isSame ? original : undefined, replayed };
    });
  });
}

/** What a transaction is beside a call, in words. */
export function notesOf({
  to,
  access_list: list = [],
  authorizations = [],
  blob_versioned_hashes: blobs = [],
}: RecordedTransaction): string[] {
  return [
    ...(to ? [] : [texts.creation]),
    ...(list.length > 0 ? [texts.accessList] : []),
    ...(authorizations.length > 0 ? [texts.authorizations(authorizations.length)] : []),
    ...(blobs.length > 0 ? [texts.blobs(blobs.length)] : []),
  ];
}

export interface Progress {
  sent: number;
  settled: number;
}

interface Run {
  networks: readonly string[];
  userId: string;
  /** What was there before, which is not of the replay: clocks may differ, so times tell nothing. */
  before: ReadonlySet<string>;
}

/** How far a replay is, as far as the events of transactions tell. */
export function progressOf(
  all: Iterable<readonly [string, Submission]>,
  { networks, userId, before }: Run,
): Progress {
  const progress: Progress = { sent: 0, settled: 0 };
  for (const [key, { network_id, user_id, settled_at }] of all) {
    if (!networks.includes(network_id) || user_id !== userId || before.has(key)) continue;
    progress.sent += 1;
    if (settled_at !== undefined) progress.settled += 1;
  }
  return progress;
}

/** Target of each recorded network; undefined while one has none. */
export function mappingOf(
  networks: readonly string[],
  chosen: Readonly<Record<string, string>>,
  exists: (id: string) => boolean,
): Record<string, string> | undefined {
  const entries = networks.map((id) => [id, chosen[id] ?? (exists(id) ? id : '')] as const);
  return entries.every(([, target]) => target !== '') ? Object.fromEntries(entries) : undefined;
}
