import type { ChainReader } from '../../evm/chainReader.ts';
import { compact } from '../../lib/compact.ts';
import { createPace } from '../../lib/work/pace.ts';
import { addCheckpoint, isSameChain, sharedCheckpoints } from './checkpoints.ts';
import { type Block, blockHashAt, logsOf } from './logs.ts';
import type {
  ChainLog,
  RelayMessage,
  RelayPosition,
  RelayProtocol,
  RelaySource,
  WaitingMessage,
} from './protocol.ts';

/** Nodes limit how many blocks one request may span. */
const maxBlockSpan = 2000;
/** Characters of messages that are parsed before others have a turn. */
const charactersPerTurn = 64 * 1024;
/** While this many messages wait, no more are read, so that the position stays small. */
const maxWaiting = 500;

/** A source as one pass sees it. */
export interface SourceView<Message extends RelayMessage> {
  protocol: RelayProtocol<Message>;
  source: RelaySource;
  chain: ChainReader;
  head: Block;
}

/**
 * The position from which to continue if the source went back, by a reorganization, evm_revert or debug_setHead: after the
 * last block that was read and is still there, without the messages of later blocks. The same object if it did not.
 */
export async function stepBack(
  { chain, head }: Pick<SourceView<RelayMessage>, 'chain' | 'head'>,
  position: RelayPosition,
  firstBlock: () => Promise<number>,
): Promise<RelayPosition> {
  const { checkpoints = [], waiting } = position;
  if (await isSameChain(chain, checkpoints, head)) return position;
  const shared = await sharedCheckpoints(chain, checkpoints);
  const last = shared.at(-1);
  const block = last ? last.block + 1 : await firstBlock();
  return { block, checkpoints: shared, waiting: waiting.filter((message) => message.block < block) };
}

/** The position after the next blocks, with their messages. The same object when there is nothing to read. */
export async function readOn<Message extends RelayMessage>(
  view: SourceView<Message>,
  position: RelayPosition,
): Promise<RelayPosition> {
  const { chain, source, head } = view;
  const room = maxWaiting - position.waiting.length;
  if (head.number < position.block || room <= 0) return position;
  const last = Math.min(head.number, position.block + spanOf(position) - 1);
  // Before the logs: if the chain changes in between, the next pass finds out.
  const hash = last === head.number ? head.hash : await blockHashAt(chain, last);
  const logs = await logsOf(chain, source, [position.block, last]);
  const { taken, next } = await take(view, position, logs);
  const end = next ? { block: next.block, hash: next.blockHash } : compact({ block: last, hash });
  const span = Math.min(maxBlockSpan, spanOf(position) * 2);
  return {
    ...(next ? { block: next.block, index: next.index } : { block: last + 1 }),
    ...(span < maxBlockSpan ? { span } : {}),
    waiting: [...position.waiting, ...taken],
    checkpoints: checkpointsWith(position, end),
  };
}

/** The position after blocks could not be read: the next attempt asks for fewer, in case they were too many. */
export function withShorterSpan(position: RelayPosition, head: Block): RelayPosition {
  const asked = Math.min(spanOf(position), head.number - position.block + 1);
  return { ...position, span: Math.max(1, Math.floor(asked / 2)) };
}

const spanOf = ({ span = maxBlockSpan }: RelayPosition): number => span;

function checkpointsWith({ checkpoints = [] }: RelayPosition, end: { block: number; hash?: string }) {
  const { block, hash } = end;
  return hash === undefined ? checkpoints : addCheckpoint(checkpoints, { block, hash });
}

/** The messages in the logs, as many as there is room for, and the log to continue with when there are more. */
async function take<Message extends RelayMessage>(
  { protocol, source }: SourceView<Message>,
  { block: first, index: from = 0, waiting }: RelayPosition,
  logs: readonly ChainLog[],
): Promise<{ taken: WaitingMessage[]; next?: ChainLog }> {
  const taken: WaitingMessage[] = [];
  const pace = createPace(charactersPerTurn);
  for (const log of logs) {
    const { block, index } = log;
    if (block === first && index < from) continue;
    await pace(log.data.length);
    const message = protocol.parse(source, log);
    if (!message) continue;
    if (waiting.length + taken.length >= maxWaiting) return { taken, next: log };
    taken.push({ id: message.id, to: message.to, block, index, attempts: 0, retryAtMs: 0 });
  }
  return { taken };
}
