import type { SentTransaction } from '../../deploy/ports.ts';
import type { ChainReader } from '../../evm/chainReader.ts';

/** A log as `eth_getLogs` returns it, with its numbers parsed. */
export interface ChainLog {
  address: string;
  topics: string[];
  data: string;
  block: number;
  blockHash: string;
  index: number;
}

/** A message that a protocol carries from one network to another. */
export interface RelayMessage {
  /** Unique in the protocol, such as the hash of the message. */
  id: string;
  /** Network id of the destination. */
  to: string;
}

/** The next action for a message on its destination. */
type RelayStep =
  | { kind: 'delivered' }
  /** `name` distinguishes the transactions of one message. */
  | { kind: 'send'; name: string; transaction: SentTransaction };

/** The seam between the relay and a protocol. */
export interface RelayProtocol<Message extends RelayMessage> {
  name: string;
  /** Networks that messages come from. */
  sources: readonly RelaySource[];
  /** Undefined for a log that is not one of our messages. */
  parse(source: RelaySource, log: ChainLog): Message | undefined;
  /** Asks the destination first, so that no message is delivered twice. */
  next(message: Message, destination: ChainReader): Promise<RelayStep>;
}

export interface RelaySource {
  /** Network id. */
  network: string;
  incarnation: string;
  /** Contract that emits the messages, and the topic of its event. */
  address: string;
  topic: string;
}

/** A message that has been read but not delivered yet. */
export interface WaitingMessage {
  id: string;
  to: string;
  /** Position of its log. */
  block: number;
  index: number;
  /** Failed attempts; each has its own idempotency key. */
  attempts: number;
  /** Not before this time, in milliseconds since the epoch. */
  retryAtMs: number;
}

/** A block that was read: the source has gone back when it no longer has the block. */
export interface Checkpoint {
  block: number;
  hash: string;
}

/** How far a source has been read, and the messages that remain; both are written together. */
export interface RelayPosition {
  /** The next block to read. */
  block: number;
  /** The next log to read in that block; 0 when absent. */
  index?: number;
  /** How many blocks to read at once; the maximum when absent. */
  span?: number;
  waiting: readonly WaitingMessage[];
  /** In the order of their blocks; the last one is of the last block that was read. */
  checkpoints?: readonly Checkpoint[];
}

/** Where positions are kept. Only one process works on a source at a time. */
export interface PositionStore {
  load(key: string): Promise<RelayPosition | undefined>;
  save(key: string, position: RelayPosition): Promise<void>;
}
