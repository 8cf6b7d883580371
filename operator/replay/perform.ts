import type { ReplayedTransaction } from '../../core/api/rest/replay.ts';
import { lost, type Rows } from '../../core/replays/rows.ts';
import { createPart, type PartSender } from './partSender.ts';
import type { Performance } from './performance.ts';

/**
 * Sends recorded transactions to one network in order, as the sender queue drains, and stores how their outcomes
 * compare. Addresses of contracts that the caller creates are predicted. A transaction that mentions a contract created
 * by another contract, or on another network of the recording, waits until that contract is mined. A transaction that
 * could not be sent is stored as skipped, with the reason. Rejects only when outcomes cannot be stored or the recording
 * cannot be read.
 */
export async function perform(performance: Performance): Promise<void> {
  const { network, book, waits, rows } = performance;
  const stored = flat(parsed(rows));
  const known = rows.total();
  let part: PartSender | undefined;
  let index = 0;
  try {
    for await (const recorded of flat(performance.transactions)) {
      if (performance.isLost()) throw lost();
      if (index < known) {
        const { value: replayed } = await stored.next();
        if (replayed) book.learn(index, network, { recorded, replayed });
        waits.moveTo(network, index + 1);
      } else {
        part ??= await createPart(performance, index);
        await part.add(index, recorded);
      }
      index += 1;
    }
    await part?.finish();
    await rows.finish();
  } catch (error) {
    performance.failed(error);
    throw error;
  } finally {
    book.end(network);
  }
}

async function* parsed(rows: Rows): AsyncGenerator<ReplayedTransaction[]> {
  for await (const lines of rows.read()) yield lines.map((line): ReplayedTransaction => JSON.parse(line));
}

async function* flat<T>(groups: AsyncIterable<readonly T[]>): AsyncGenerator<T, undefined> {
  for await (const group of groups) yield* group;
  return undefined;
}
