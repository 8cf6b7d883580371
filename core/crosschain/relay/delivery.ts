import { createBoundedMap } from '../../lib/boundedMap.ts';
import { doubledMs } from '../../lib/work/backoff.ts';
import { type DeliveryContext, type DeliveryOutcome, deliverMessage } from './deliverMessage.ts';
import { logsOf } from './logs.ts';
import { createPauses, type Pauses } from './pauses.ts';
import type { ChainLog, RelayMessage, RelayProtocol, RelaySource, WaitingMessage } from './protocol.ts';

export interface DeliveryEvents {
  delivered(source: string, message: WaitingMessage): void;
  /** `isLast`: no further attempt will be made. */
  failed(source: string, message: WaitingMessage, failure: { reason: string; isLast: boolean }): void;
}

export interface DeliveryPorts extends Pick<DeliveryContext<RelayMessage>, 'chain' | 'clock'> {
  events: DeliveryEvents;
  /** Of destinations that cannot be reached, for relays that do not outlive a pass. */
  pauses?: Pauses;
}

/** Pauses start at 2 s and double up to 10 minutes, so a message is retried for a day and a half. */
const maxAttempts = 220;
const backoff = { baseMs: 2000, maxMs: 600_000 };
/** No further message is started after this time, so that a long backlog does not block others. */
const turnMs = 5000;
/** How many blocks' logs are remembered during a pass: lanes are at about the same block. */
const maxBlocks = 4;

export interface Delivery {
  /**
   * Delivers messages that are due, for some seconds, and returns those that remain; the same array when all remain.
   * Never rejects because of a message.
   */
  deliver(source: RelaySource, waiting: readonly WaitingMessage[]): Promise<readonly WaitingMessage[]>;
}

interface LaneContext<Message extends RelayMessage> extends DeliveryContext<Message> {
  source: RelaySource;
  events: DeliveryEvents;
}

export function createDelivery<Message extends RelayMessage>(
  protocol: RelayProtocol<Message>,
  { chain, clock, events, pauses = createPauses(clock) }: DeliveryPorts,
): Delivery {
  /** Delivers to one destination, unless it could not be reached a short time ago. */
  async function deliverTo(
    to: string,
    lane: readonly WaitingMessage[],
    context: LaneContext<Message>,
  ): Promise<readonly WaitingMessage[]> {
    const { network, incarnation } = context.source;
    const key = [protocol.name, network, incarnation, to].join('/');
    if (pauses.isPaused(key)) return lane;
    const { left, isReached } = await deliverLane(context, lane);
    if (isReached) pauses.succeeded(key);
    else pauses.failed(key);
    return left;
  }

  return {
    async deliver(source, waiting) {
      const logsIn = createBlockReader(source, chain);
      const context = { protocol, chain, clock, events, source, logsIn };
      const lanes = Map.groupBy(waiting, ({ to }) => to);
      const left = await Promise.all([...lanes].map(([to, lane]) => deliverTo(to, lane, context)));
      return inOrder(waiting, left.flat());
    },
  };
}

/** Reads a block once for all of its messages that are delivered in one turn. */
function createBlockReader(
  source: RelaySource,
  chain: DeliveryPorts['chain'],
): DeliveryContext<RelayMessage>['logsIn'] {
  const read = createBoundedMap<number, Promise<ChainLog[]>>(maxBlocks);
  return (block) => {
    const logs =
      read.get(block) ?? chain(source.network).then((node) => logsOf(node, source, [block, block]));
    read.set(block, logs);
    return logs;
  };
}

/** Delivers the messages to one destination in order and returns those that remain. */
async function deliverLane<Message extends RelayMessage>(
  context: LaneContext<Message>,
  lane: readonly WaitingMessage[],
): Promise<{ left: WaitingMessage[]; isReached: boolean }> {
  const { clock, source } = context;
  const untilMs = clock.nowMs() + turnMs;
  const left: WaitingMessage[] = [];
  for (const [index, message] of lane.entries()) {
    const rest = lane.slice(index);
    if (clock.nowMs() >= untilMs) return { left: [...left, ...rest], isReached: true };
    const isDue = message.retryAtMs <= clock.nowMs();
    const outcome = isDue ? await deliverMessage(context, source, message) : 'later';
    // The same holds for the messages after it.
    if (outcome === 'unreachable') return { left: [...left, ...rest], isReached: false };
    left.push(...(outcome === 'later' ? [message] : settle(context, message, outcome)));
  }
  return { left, isReached: true };
}

/** Reports the outcome of a message. Returns the message with its next attempt, or nothing when it is finished. */
function settle(
  { events, source, clock }: LaneContext<RelayMessage>,
  message: WaitingMessage,
  outcome: Exclude<DeliveryOutcome, 'unreachable'>,
): WaitingMessage[] {
  if (outcome === 'delivered') {
    events.delivered(source.network, message);
    return [];
  }
  const attempts = message.attempts + 1;
  const isLast = attempts >= maxAttempts;
  events.failed(source.network, message, { reason: outcome.reason, isLast });
  return isLast ? [] : [{ ...message, attempts, retryAtMs: clock.nowMs() + doubledMs(attempts, backoff) }];
}

/** `left` in the order of the source's chain, or `waiting` itself when nothing changed. */
function inOrder(waiting: readonly WaitingMessage[], left: WaitingMessage[]): readonly WaitingMessage[] {
  const isSame = left.length === waiting.length && left.every((message) => waiting.includes(message));
  return isSame ? waiting : left.sort((one, other) => one.block - other.block || one.index - other.index);
}
