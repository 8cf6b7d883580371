import type { Network, Snapshot, Submission } from '../../../../sdk/src/generated/types.ts';
import type { Activity } from '../../live/activity.ts';
import { texts } from './texts.ts';

/** Something that happened to a network. */
export interface Entry {
  key: string;
  at: string;
  title: string;
  text?: string | undefined;
  state?: string;
  /** Of a transaction. */
  hash?: string;
}

interface Sources {
  /** What happened while this tab of the browser was open. */
  live: readonly Activity[];
  submissions: readonly Submission[];
  snapshots: Iterable<Snapshot>;
}

/** What is known of a network's past, the newest first. What happened since the first event is known from events alone. */
export function historyOf(network: Network, { live, submissions, snapshots }: Sources): Entry[] {
  const events = live.map(ofEvent);
  const firstAt = events.map(({ at }) => at).sort()[0];
  const facts = factsOf(network).filter(({ at }) => firstAt === undefined || at < firstAt);
  const taken = [...snapshots].flatMap((one) => ofSnapshot(one, network.id));
  return [...events, ...submissions.map(ofSubmission), ...taken, ...facts].sort((a, b) =>
    b.at.localeCompare(a.at),
  );
}

const names: Readonly<Record<string, string>> = texts.events;

function ofEvent({ id, type, at, state, message }: Activity): Entry {
  return { key: id, at, title: names[type.replace('network.', '')] ?? type, text: message, state };
}

function ofSubmission({ hash, state, message, block, accepted_at, settled_at }: Submission): Entry {
  return {
    key: hash,
    at: settled_at ?? accepted_at,
    title: block === undefined ? texts.history.transaction : texts.history.mined(block),
    text: message,
    state,
    hash,
  };
}

function ofSnapshot({ id, name, status }: Snapshot, networkId: string): Entry[] {
  const { networkID, takenAt, state = 'Pending' } = status ?? {};
  if (networkID !== networkId || takenAt === undefined) return [];
  return [{ key: id, at: takenAt, title: texts.history.snapshot(name), state }];
}

/** What the status keeps: of each kind, the last time. What came later is first, also within a second. */
function factsOf({ metadata, status }: Network): Entry[] {
  const { lastWakeUpAt, lastStoppedAt, incarnation, previousChain } = status ?? {};
  const facts: [title: string, at: string | undefined, text?: string | undefined][] = [
    [texts.history.started, lastWakeUpAt],
    [texts.history.began, incarnation?.startedAt],
    [texts.events.stopped, lastStoppedAt],
    [texts.history.ended(previousChain?.lastBlock), previousChain?.endedAt, previousChain?.reason],
    [texts.events.created, metadata.createdAt],
  ];
  return facts.flatMap(([title, at, text]) => (at ? [{ key: title, at, title, text }] : []));
}
