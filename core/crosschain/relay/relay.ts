import type { TokenPorts } from '../../deploy/ports.ts';
import type { Clock } from '../../lib/clock.ts';
import { createDelivery, type DeliveryEvents } from './delivery.ts';
import { headOf, logsOf } from './logs.ts';
import type {
  PositionStore,
  RelayMessage,
  RelayPosition,
  RelayProtocol,
  RelaySource,
  WaitingMessage,
} from './protocol.ts';

export interface RelayPorts extends Pick<TokenPorts, 'chain'> {
  positions: PositionStore;
  clock: Clock;
  events: RelayEvents;
}

export interface RelayEvents extends DeliveryEvents {
  /** After each pass: how many messages of a source remain, and how many blocks are unread. */
  waiting(source: string, count: number, blocksBehind: number): void;
  /** A pass ended early because its network could not be reached. */
  interrupted(source: string, error: unknown): void;
}

export interface Relay {
  /** Reads new logs of a source once and delivers the messages that wait. True when there is more to read. */
  pass(source: RelaySource): Promise<boolean>;
  /** Passes over all sources, each at its own pace, until `signal` aborts. */
  run(signal: AbortSignal): Promise<void>;
}

/** Nodes limit how many blocks one request may span. */
const maxBlockSpan = 2000;
/** While this many messages wait, no more are read, so that the position stays small. */
const maxWaiting = 500;
const pauseMs = 500;
const pauseAfterErrorMs = 5000;

/**
 * Carries the messages of a protocol from their sources to their destinations. None is lost, because messages are saved
 * together with how far the source was read. Each is delivered once, because the destination is asked first and each
 * transaction has an idempotency key. Messages of a lane are delivered in order as long as they succeed.
 */
export function createRelay<Message extends RelayMessage>(
  protocol: RelayProtocol<Message>,
  ports: RelayPorts,
): Relay {
  const delivery = createDelivery(protocol, ports);
  const keyOf = ({ network, incarnation }: RelaySource) => `${protocol.name}/${network}/${incarnation}`;

  async function pass(source: RelaySource): Promise<boolean> {
    const key = keyOf(source);
    const before = (await ports.positions.load(key)) ?? { block: 0, waiting: [] };
    const head = await headOf(await ports.chain(source.network));
    const read = before.waiting.length < maxWaiting ? await readOn(source, before, head) : before;
    if (read !== before) await ports.positions.save(key, read);
    const left = await delivery.deliver(source, read.waiting);
    if (left !== read.waiting) await ports.positions.save(key, { ...read, waiting: left });
    ports.events.waiting(source.network, left.length, Math.max(0, head + 1 - read.block));
    return read !== before && read.block <= head;
  }

  /** The position after the next blocks, with their messages. The same object when there are no new blocks. */
  async function readOn(source: RelaySource, position: RelayPosition, head: number): Promise<RelayPosition> {
    if (head < position.block) return position;
    const last = Math.min(head, position.block + maxBlockSpan - 1);
    const logs = await logsOf(await ports.chain(source.network), source, [position.block, last]);
    const found = logs.flatMap((log): WaitingMessage[] => {
      const message = protocol.parse(source, log);
      if (!message) return [];
      const { id, to } = message;
      return [{ id, to, block: log.block, index: log.index, attempts: 0, retryAtMs: 0 }];
    });
    return { block: last + 1, waiting: [...position.waiting, ...found] };
  }

  async function follow(source: RelaySource, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const wait = await pass(source).then(
        (hasMore) => (hasMore ? 0 : pauseMs),
        (error: unknown) => {
          ports.events.interrupted(source.network, error);
          return pauseAfterErrorMs;
        },
      );
      await ports.clock.sleep(wait, signal).catch(() => undefined);
    }
  }

  return {
    pass,
    run: async (signal) => void (await Promise.all(protocol.sources.map((one) => follow(one, signal)))),
  };
}
