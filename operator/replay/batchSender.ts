import type { RecordedTransaction } from '../../core/api/rest/replay.ts';
import { readTransactionRules } from '../../core/evm/chainState.ts';
import { isAppError } from '../../core/lib/errors.ts';
import type { FoundSubmission } from '../../core/outbox/findSubmitted.ts';
import { isUndoneWhole } from '../../core/outbox/sending/repeat.ts';
import type { Follower, Sent } from './follow.ts';
import type { Performance } from './performance.ts';
import type { ReplayReader } from './receipts.ts';
import type { Rendered, Script } from './script.ts';
import { keyReplaced, type ReplayTarget } from './target.ts';

/** Consecutive transactions that are sent together. */
export interface Batch {
  /** Index of the first one, which names the batch. */
  first: number;
  items: { index: number; recorded: RecordedTransaction }[];
  /** Of their data. */
  bytes: number;
  /** How many transactions it must have; undefined while it may grow. */
  size?: number;
  /** What an earlier attempt was accepted with. */
  accepted?: FoundSubmission;
}

/** Sends batches, each once, and hands them over to the follower. */
export interface BatchSender {
  /** The batch that begins with a transaction: as it was sent before, or a new one. */
  begin(first: number): Promise<Batch>;
  send(batch: Batch): Promise<void>;
}

interface Tools {
  target: ReplayTarget;
  reader: ReplayReader;
  script: Script;
  follower: Follower;
}

/** How long a retryable failure is retried while nothing is mined. */
const patienceMs = 60_000;
const pauseMs = 500;

const takenDoubt =
  'another transaction of the caller took a nonce in the meantime, so a predicted address in it is wrong';

export async function createBatchSender(
  performance: Performance,
  tools: Tools,
  start: number,
): Promise<BatchSender> {
  const { network, book } = performance;
  const { target, reader, script, follower } = tools;
  const [rules, pending] = await Promise.all([
    readTransactionRules(target.rpc, target.osakaGasCap),
    reader.pendingCount(target.caller),
  ]);
  const moveBase = createBase(book, network, pending - start);
  let mayBeSent = performance.isRepeated;
  /** Whether an earlier attempt sent from another account of the caller. */
  let isKeyReplaced = false;

  return {
    async begin(first) {
      const found = mayBeSent ? await target.findAccepted(keyOf(performance, first)) : undefined;
      isKeyReplaced ||= found !== undefined && found.signer.toLowerCase() !== target.caller.toLowerCase();
      // Nothing came of it, and its key is not there to send it again.
      const accepted = found && !(isKeyReplaced && isUndoneWhole(found)) ? found : undefined;
      // They are sent in order: nothing after it was.
      mayBeSent = accepted !== undefined;
      const batch = { first, items: [], bytes: 0 };
      if (accepted) performance.waits.moveTo(network, first + accepted.hashes.length);
      if (accepted) return { ...batch, accepted, size: accepted.hashes.length };
      // Earlier transactions of the caller may not have reached the node yet; only a given nonce shows how many.
      return first === start ? { ...batch, size: 1 } : batch;
    },
    async send(batch) {
      if (isKeyReplaced && !batch.accepted) throw keyReplaced();
      if (batch.accepted && !isKeyReplaced)
        moveBase(batch.first, await nonceOf(reader, batch.accepted.hashes));
      const rendered: Rendered[] = [];
      for (const { recorded } of batch.items) rendered.push(await script.render(recorded, rules));
      const { hashes, nonce } = await hashesOf(performance, tools, { batch, rendered });
      // The nonces of another account predict nothing.
      const isMoved = !isKeyReplaced && moveBase(batch.first, nonce);
      const { length } = batch.items;
      follower.add(
        batch.items.map((item, at) => ({
          ...sentOf(item, rendered[at], isMoved),
          hash: hashes[at] ?? '',
          isLast: at === length - 1,
        })),
      );
    },
  };
}

function sentOf(
  { index, recorded }: Batch['items'][number],
  rendered: Rendered | undefined,
  isMoved: boolean,
): Pick<Sent, 'index' | 'recorded' | 'item' | 'authorizations' | 'doubts'> {
  const { item = recorded, authorizations = [], doubts = [], isPredicted = false } = rendered ?? {};
  return {
    index,
    recorded,
    item,
    authorizations,
    doubts: isMoved && isPredicted ? [...doubts, takenDoubt] : doubts,
  };
}

/** Predicts nonces; what it returns takes a given one, and answers whether it differs from the predicted one. */
function createBase(
  book: Performance['book'],
  network: number,
  predicted: number,
): (first: number, nonce: number | undefined) => boolean {
  let base = predicted;
  book.setBase(network, base, 0);
  return (first, nonce) => {
    if (nonce === undefined || nonce - first === base) return false;
    base = nonce - first;
    book.setBase(network, base, first);
    return true;
  };
}

async function hashesOf(
  performance: Performance,
  { target, reader, follower }: Tools,
  { batch, rendered }: { batch: Batch; rendered: readonly Rendered[] },
): Promise<{ hashes: readonly string[]; nonce: number | undefined }> {
  const items = rendered.map(({ item }) => item);
  const startMs = performance.clock.nowMs();
  for (;;) {
    try {
      const { hashes, firstNonce, taken } = await target.send(
        items,
        keyOf(performance, batch.first),
        batch.accepted,
      );
      // An earlier attempt may have ended before it sent anything.
      if (firstNonce === undefined) await taken;
      return { hashes, nonce: firstNonce ?? (await nonceOf(reader, hashes)) };
    } catch (error) {
      const endMs = Math.max(startMs, follower.settledMs()) + patienceMs;
      const canRetry = isAppError(error) && error.isRetryable && performance.clock.nowMs() < endMs;
      if (!canRetry) throw error;
      await performance.clock.sleep(pauseMs);
    }
  }
}

/** They are sent, whether or not the node can be asked about them now. */
const nonceOf = (reader: ReplayReader, hashes: readonly string[]): Promise<number | undefined> =>
  reader.nonceOf(hashes[0] ?? '').catch(() => undefined);

const keyOf = ({ key }: Performance, first: number): string => `${key}:${first}`;
