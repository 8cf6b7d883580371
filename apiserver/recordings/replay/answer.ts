import { idOf } from '../../../core/api/ids.ts';
import type { ReplayOrder } from '../../../core/api/resources/replayResource.ts';
import type { RecordedTransaction } from '../../../core/api/rest/replay.ts';
import type { Clock } from '../../../core/lib/clock.ts';
import type { Rows } from '../../../core/replays/rows.ts';
import type { Part } from './plan.ts';

/** A recorded network, and the one that it is replayed on. */
type Place = Pick<ReplayOrder['networks'][number], 'recorded' | 'target'>;

/** The place of a part of a plan. */
export const placeOf = ({ recordedId, target }: Part): Place => ({
  recorded: recordedId,
  target: idOf(target),
});

/** A part of a replay that is done. */
interface DonePart {
  place: Place;
  rows: Pick<Rows, 'total' | 'unmatched' | 'read'>;
}

/** The answer to a replay as JSON text, in parts. */
export async function* streamAnswer(done: readonly DonePart[]): AsyncGenerator<string> {
  const success = done.every(({ rows }) => rows.unmatched() === 0);
  yield* streamOutcomes(done, { success, total: done.reduce((sum, { rows }) => sum + rows.total(), 0) });
}

/** A document has all transactions of a network at once. */
const plannedAtATime = 1_000;

const plannedLine = ({ hash }: RecordedTransaction) =>
  JSON.stringify({ original_hash: hash, status: 'skipped', match: false });

/** The answer after all checks that are possible without sending. */
export async function* streamDryRun(parts: readonly Part[]): AsyncGenerator<string> {
  let total = 0;
  const planned = parts.map((part) => ({
    place: placeOf(part),
    rows: {
      async *read() {
        for await (const transactions of part.read()) {
          total += transactions.length;
          for (let at = 0; at < transactions.length; at += plannedAtATime)
            yield transactions.slice(at, at + plannedAtATime).map(plannedLine);
        }
      },
    },
  }));
  yield* streamOutcomes(planned, { success: true, total: () => total });
}

interface AnswerSummary {
  success: boolean;
  /** Known when the transactions were read, if it is a function. */
  total: number | (() => number);
}

async function* streamOutcomes(
  outcomes: readonly { place: Place; rows: Pick<Rows, 'read'> }[],
  { success, total }: AnswerSummary,
): AsyncGenerator<string> {
  yield `{"success":${success},"transactions":{`;
  for (const [at, { place, rows }] of outcomes.entries()) {
    yield `${at === 0 ? '' : ','}${JSON.stringify(place.target)}:[`;
    yield* streamLines(rows);
    yield ']';
  }
  const places = outcomes.map(({ place }) => place);
  const rest = {
    networks: places.map(({ target }) => target),
    totalTransactions: typeof total === 'number' ? total : total(),
    appliedNetworkMapping: Object.fromEntries(places.map(({ recorded, target }) => [recorded, target])),
  };
  yield `},${JSON.stringify(rest).slice(1)}`;
}

async function* streamLines(rows: Pick<Rows, 'read'>): AsyncGenerator<string> {
  let separator = '';
  for await (const lines of rows.read()) {
    if (lines.length === 0) continue;
    yield `${separator}${lines.join(',')}`;
    separator = ',';
  }
}

/** How often an answer that takes long says that it is under way. */
const beatMs = 5_000;

/**
 * The text of `answer`, once `work` is done. White space before it keeps proxies from giving up: it means nothing in
 * JSON. A failure within the first seconds is still an answer of its own.
 */
export async function* whenDone(work: Promise<AsyncIterable<string>>, clock: Clock): AsyncGenerator<string> {
  const ending = new AbortController();
  const beat = () => clock.sleep(beatMs, ending.signal).catch(() => undefined);
  try {
    for (;;) {
      const answer = await Promise.race([work, beat()]);
      if (answer) return yield* answer;
      yield '\n';
    }
  } finally {
    ending.abort();
  }
}
