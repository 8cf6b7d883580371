import type { Hold } from '../../http/limits/memoryBudget.ts';
import { createUnlimitedScan, readMembers, skipSpace } from '../jsonrpc/jsonScan.ts';
import { createSplicer } from '../jsonrpc/splice.ts';
import type { Screened } from '../policy/screen.ts';

/** The batches of a WebSocket connection of which the gateway refuses a part and the node answers the rest. */
export interface SocketBatches {
  /** The node will answer; throws Unavailable if too many are open. */
  expect(screened: Screened): void;
  /** The message of the node, with the refusals in their places if it answers such a batch. */
  complete(message: Buffer): Buffer;
}

/** What an open batch occupies, besides the text of its refusals. */
const overheadBytes = 512;

export function createSocketBatches(hold: Hold): SocketBatches {
  const open: { screened: Screened; bytes: number }[] = [];
  return {
    expect(screened) {
      const texts = screened.answers.map((answer) => ('refusal' in answer ? answer.refusal : answer.id));
      const bytes = texts.reduce((sum, { length }) => sum + length, overheadBytes);
      hold.take(bytes);
      open.push({ screened, bytes });
    },
    complete(message) {
      if (open.length === 0) return message;
      const id = firstIdIn(message);
      const index = open.findIndex(({ screened }) => id !== undefined && screened.ids.some(isSame(id)));
      const [batch] = index === -1 ? [] : open.splice(index, 1);
      if (!batch) return message;
      hold.give(batch.bytes);
      const splicer = createSplicer(batch.screened.answers);
      return Buffer.concat([...splicer.push(message), ...splicer.end()]);
    },
  };
}

/** The id, as JSON text, of the first item if the message is the answer to a batch. */
function firstIdIn(message: Buffer): string | undefined {
  if (message[0] !== 0x5b) return undefined;
  try {
    const text = message.toString();
    const { members } = readMembers(createUnlimitedScan(text), skipSpace(text, 1));
    return members.find(({ name }) => name === '"id"')?.value;
  } catch {
    return undefined;
  }
}

/** Nodes may write an id in another way than it was sent. */
function isSame(id: string): (other: string) => boolean {
  return (other) => other === id || JSON.parse(other) === JSON.parse(id);
}
