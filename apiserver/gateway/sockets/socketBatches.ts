import { keptText } from '../../../core/lib/keptBytes.ts';
import type { Hold } from '../../http/limits/memoryBudget.ts';
import { createUnlimitedScan, readMembers, skipSpace } from '../jsonrpc/jsonScan.ts';
import { createSplicer } from '../jsonrpc/splice.ts';
import type { CallAnswer, Screened } from '../policy/screen.ts';

/** The batches of a WebSocket connection of which the gateway refuses a part and the node answers the rest. */
export interface SocketBatches {
  /** The node will answer; throws Unavailable if too many are open. */
  expect(screened: Pick<Screened, 'answers' | 'ids' | 'refusals'>): void;
  /** The message of the node, with the refusals in their places if it answers such a batch. */
  complete(message: Buffer): Buffer;
}

interface OpenBatch {
  ids: ReadonlySet<string>;
  answers: CallAnswer[];
  bytes: number;
}

/** What an open batch, and each of its calls, occupies besides its texts. */
const batchBytes = 512;
const callBytes = 256;

export function createSocketBatches(hold: Hold): SocketBatches {
  const open: OpenBatch[] = [];
  return {
    expect(screened) {
      const texts = [...screened.refusals, ...screened.ids];
      const bytes = texts.reduce((sum, { length }) => sum + callBytes + length, batchBytes);
      hold.take(bytes);
      open.push({ ids: new Set(screened.ids.map(plainId)), answers: screened.answers.map(kept), bytes });
    },
    complete(message) {
      if (open.length === 0) return message;
      const id = firstIdIn(message);
      const index = open.findIndex(({ ids }) => id !== undefined && ids.has(id));
      const [batch] = index === -1 ? [] : open.splice(index, 1);
      if (!batch) return message;
      hold.give(batch.bytes);
      const splicer = createSplicer(batch.answers);
      return Buffer.concat([...splicer.push(message), ...splicer.end()]);
    },
  };
}

/** A part of a text keeps all of it in memory, and here that is the whole request. */
function kept(answer: CallAnswer): CallAnswer {
  return 'refusal' in answer ? { refusal: keptText(answer.refusal) } : { id: '' };
}

/** The id of the first item if the message is the answer to a batch. */
function firstIdIn(message: Buffer): string | undefined {
  if (message[0] !== 0x5b) return undefined;
  try {
    const text = message.toString();
    const { members } = readMembers(createUnlimitedScan(text), skipSpace(text, 1));
    const id = members.find(({ name }) => name === '"id"')?.value;
    return id && plainId(id);
  } catch {
    return undefined;
  }
}

/** Nodes may write an id in another way than it was sent. */
function plainId(id: string): string {
  return JSON.stringify(JSON.parse(id));
}
