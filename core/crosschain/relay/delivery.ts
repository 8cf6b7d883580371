import { type BringContext, bringMessage, type Outcome } from './bring.ts';
import type { RelayMessage, RelayProtocol, RelaySource, WaitingMessage } from './protocol.ts';

export interface DeliveryEvents {
  delivered(source: string, message: WaitingMessage): void;
  /** `isLast`: no further attempt will be made. */
  failed(source: string, message: WaitingMessage, failure: { reason: string; isLast: boolean }): void;
}

export interface DeliveryPorts extends Pick<BringContext<RelayMessage>, 'chain' | 'clock'> {
  events: DeliveryEvents;
}

/** Pauses start at 2 s and double up to 10 minutes, so a message is retried for a day and a half. */
const maxAttempts = 220;
const firstPauseMs = 2000;
const longestPauseMs = 600_000;

export interface Delivery {
  /**
   * Delivers the messages that are due and returns those that remain; the same array when all remain. Never rejects
   * because of a message.
   */
  deliver(source: RelaySource, waiting: readonly WaitingMessage[]): Promise<readonly WaitingMessage[]>;
}

export function createDelivery<Message extends RelayMessage>(
  protocol: RelayProtocol<Message>,
  { chain, clock, events }: DeliveryPorts,
): Delivery {
  const context: BringContext<Message> = { protocol, chain, clock };

  /** Delivers the messages to one destination in order and returns those that remain. */
  async function deliverLane(
    source: RelaySource,
    lane: readonly WaitingMessage[],
  ): Promise<WaitingMessage[]> {
    const left: WaitingMessage[] = [];
    for (const [index, message] of lane.entries()) {
      const isDue = message.retryAtMs <= clock.nowMs();
      const outcome = isDue ? await bringMessage(context, source, message) : 'later';
      // The same holds for the messages after it.
      if (outcome === 'unreachable') return [...left, ...lane.slice(index)];
      left.push(...(outcome === 'later' ? [message] : settle(source, message, outcome)));
    }
    return left;
  }

  /** Reports the outcome of a message. Returns the message with its next attempt, or nothing when it is finished. */
  function settle(
    source: RelaySource,
    message: WaitingMessage,
    outcome: Exclude<Outcome, 'unreachable'>,
  ): WaitingMessage[] {
    if (outcome === 'delivered') {
      events.delivered(source.network, message);
      return [];
    }
    const attempts = message.attempts + 1;
    const isLast = attempts >= maxAttempts;
    events.failed(source.network, message, { reason: outcome.reason, isLast });
    return isLast ? [] : [{ ...message, attempts, retryAtMs: clock.nowMs() + pauseAfter(message.attempts) }];
  }

  return {
    async deliver(source, waiting) {
      const lanes = Map.groupBy(waiting, ({ to }) => to);
      const left = await Promise.all([...lanes.values()].map((lane) => deliverLane(source, lane)));
      return inOrder(waiting, left.flat());
    },
  };
}

function pauseAfter(attempts: number): number {
  return Math.min(firstPauseMs * 2 ** Math.min(attempts, 20), longestPauseMs);
}

/** `left` in the order of the source's chain, or `waiting` itself when nothing changed. */
function inOrder(waiting: readonly WaitingMessage[], left: WaitingMessage[]): readonly WaitingMessage[] {
  const isSame = left.length === waiting.length && left.every((message) => waiting.includes(message));
  return isSame ? waiting : left.sort((one, other) => one.block - other.block || one.index - other.index);
}
