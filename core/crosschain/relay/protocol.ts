import type { SentTransaction } from '../../deploy/ports.ts';
import type { ChainReader } from '../../evm/chainReader.ts';

/** A log as `eth_getLogs` answers it, with numbers read. */
export interface ChainLog {
  address: string;
  topics: string[];
  data: string;
  block: number;
  index: number;
}

/** What a protocol carries from one network to another. */
export interface RelayMessage {
  /** Unique in the protocol: hash of the message or the like. */
  id: string;
  /** Network id of the destination. */
  to: string;
}

/** The next thing to do for a message on its destination. */
type RelayStep =
  | { kind: 'delivered' }
  /** `name` tells the transactions of one message apart. */
  | { kind: 'send'; name: string; transaction: SentTransaction };

/** The seam between the relay and a protocol. */
export interface RelayProtocol<Message extends RelayMessage> {
  name: string;
  /** Networks that messages come from. */
  sources: readonly RelaySource[];
  /** Undefined for a log that is no message of ours. */
  parse(source: RelaySource, log: ChainLog): Message | undefined;
  /** Asks the destination, so that nothing is brought twice. */
  next(message: Message, destination: ChainReader): Promise<RelayStep>;
}

export interface RelaySource {
  /** Network id. */
  network: string;
  incarnation: string;
  /** Contract that tells of messages, and the topic that it tells them by. */
  address: string;
  topic: string;
}

/** A message that was read and is not delivered yet. */
export interface WaitingMessage {
  id: string;
  to: string;
  /** Where its log is. */
  block: number;
  index: number;
  /** Failed ones; each attempt has its own idempotency key. */
  attempts: number;
  /** Not before this time, in milliseconds since the epoch. */
  retryAtMs: number;
}

/** How far a source has been read, and what is left of it: written together. */
export interface RelayPosition {
  /** The next block to read. */
  block: number;
  waiting: readonly WaitingMessage[];
}

/** Where positions are kept. One process works on a source at a time. */
export interface PositionStore {
  load(key: string): Promise<RelayPosition | undefined>;
  save(key: string, position: RelayPosition): Promise<void>;
}
