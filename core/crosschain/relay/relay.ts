import type { TokenPorts } from '../../deploy/ports.ts';
import type { Clock } from '../../lib/clock.ts';
import { doubledMs } from '../../lib/work/backoff.ts';
import { createDelivery, type DeliveryEvents } from './delivery.ts';
import { headOf } from './logs.ts';
import type { Pauses } from './pauses.ts';
import type { PositionStore, RelayMessage, RelayPosition, RelayProtocol, RelaySource } from './protocol.ts';
import { readOn, type SourceView, stepBack, withShorterSpan } from './reading.ts';

export interface RelayPorts extends Pick<TokenPorts, 'chain'> {
  positions: PositionStore;
  /** The first block of a source that can have messages. */
  firstBlock(source: RelaySource): Promise<number>;
  clock: Clock;
  events: RelayEvents;
  /** Of destinations that cannot be reached, for relays that do not outlive a pass. */
  pauses?: Pauses;
}

export interface RelayEvents extends DeliveryEvents {
  /** After each pass: how many messages of a source remain, and how many blocks are unread. */
  waiting(source: string, count: number, blocksBehind: number): void;
  /** A source no longer has blocks that were read: it is read again from `to` on instead of from `from`. */
  wentBack(source: string, from: number, to: number): void;
  /** A pass ended early because its network could not be reached. */
  interrupted(source: string, error: unknown): void;
}

export interface Relay {
  /** Reads new logs of a source once and delivers messages that wait. True when there is more to do at once. */
  pass(source: RelaySource): Promise<boolean>;
  /** Passes over all sources, each at its own pace, until `signal` aborts. */
  run(signal: AbortSignal): Promise<void>;
}

const pauseMs = 500;
const backoff = { baseMs: 1000, maxMs: 15_000 };

/**
 * Carries the messages of a protocol from their sources to their destinations. None is lost, because messages are saved
 * together with how far the source was read, and blocks that the source replaced are read again. Each is delivered once,
 * because the destination is asked first and each transaction has an idempotency key. Messages of a lane are delivered
 * in order as long as they succeed.
 */
export function createRelay<Message extends RelayMessage>(
  protocol: RelayProtocol<Message>,
  ports: RelayPorts,
): Relay {
  const delivery = createDelivery(protocol, ports);

  async function pass(source: RelaySource): Promise<boolean> {
    const key = `${protocol.name}/${source.network}/${source.incarnation}`;
    const firstBlock = () => ports.firstBlock(source);
    const save = (position: RelayPosition) => ports.positions.save(key, position);
    const stored = (await ports.positions.load(key)) ?? { block: await firstBlock(), waiting: [] };
    const chain = await ports.chain(source.network);
    const view: SourceView<Message> = { protocol, source, chain, head: await headOf(chain) };
    const before = await stepBack(view, stored, firstBlock);
    if (before !== stored) ports.events.wentBack(source.network, stored.block, before.block);
    const read = await readOn(view, before).catch(async (error: unknown) => {
      await save(withShorterSpan(before, view.head));
      throw error;
    });
    if (read !== stored) await save(read);
    const left = await delivery.deliver(source, read.waiting);
    if (left !== read.waiting) await save({ ...read, waiting: left });
    const { number } = view.head;
    ports.events.waiting(source.network, left.length, Math.max(0, number + 1 - read.block));
    const isProgress = read !== before || left.length < read.waiting.length;
    return isProgress && read.block <= number;
  }

  async function follow(source: RelaySource, signal: AbortSignal): Promise<void> {
    let failures = 0;
    while (!signal.aborted) {
      const wait = await pass(source).then(
        (hasMore) => {
          failures = 0;
          return hasMore ? 0 : pauseMs;
        },
        (error: unknown) => {
          ports.events.interrupted(source.network, error);
          failures += 1;
          return doubledMs(failures, backoff);
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
