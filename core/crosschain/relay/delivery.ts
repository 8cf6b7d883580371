import type { TokenChain, TokenPorts } from '../../deploy/ports.ts';
import { awaitReceipt } from '../../evm/receipts.ts';
import type { Clock } from '../../lib/clock.ts';
import { AppError, isAppError, messageOf } from '../../lib/errors.ts';
import { logsOf } from './logs.ts';
import type { RelayMessage, RelayProtocol, RelaySource, WaitingMessage } from './protocol.ts';

export interface DeliveryEvents {
  delivered(source: string, message: WaitingMessage): void;
  /** `isLast`: it is given up. */
  failed(source: string, message: WaitingMessage, failure: { reason: string; isLast: boolean }): void;
}

export interface DeliveryPorts extends Pick<TokenPorts, 'chain'> {
  clock: Clock;
  events: DeliveryEvents;
}

/** From 2 s on, twice as long each time, at most 10 minutes: a day and a half in all. */
const mostAttempts = 220;
const firstPauseMs = 2000;
const longestPauseMs = 600_000;
/** A message needs one or two transactions; more would mean that the destination never agrees. */
const mostSteps = 4;

export interface Delivery {
  /** Delivers what is due; answers what is left, the same array when that is all. Never rejects for a message. */
  deliver(source: RelaySource, waiting: readonly WaitingMessage[]): Promise<readonly WaitingMessage[]>;
}

type Outcome = 'delivered' | 'away' | { reason: string };

export function createDelivery<Message extends RelayMessage>(
  protocol: RelayProtocol<Message>,
  { chain, clock, events }: DeliveryPorts,
): Delivery {
  /** What is left of the messages to one destination. */
  async function deliverLane(
    source: RelaySource,
    lane: readonly WaitingMessage[],
  ): Promise<WaitingMessage[]> {
    const left: WaitingMessage[] = [];
    for (const [index, message] of lane.entries()) {
      const isDue = message.retryAtMs <= clock.nowMs();
      const outcome: Outcome | 'later' = isDue ? await attempt(source, message) : 'later';
      if (outcome === 'delivered') events.delivered(source.network, message);
      if (outcome === 'later') left.push(message);
      // Nothing can be known of the others either.
      if (outcome === 'away') return [...left, ...lane.slice(index)];
      if (typeof outcome === 'object') left.push(...afterFailure(source, message, outcome.reason));
    }
    return left;
  }

  function afterFailure(source: RelaySource, message: WaitingMessage, reason: string): WaitingMessage[] {
    const attempts = message.attempts + 1;
    const isLast = attempts >= mostAttempts;
    events.failed(source.network, message, { reason, isLast });
    if (isLast) return [];
    const pauseMs = Math.min(firstPauseMs * 2 ** Math.min(message.attempts, 20), longestPauseMs);
    return [{ ...message, attempts, retryAtMs: clock.nowMs() + pauseMs }];
  }

  async function attempt(source: RelaySource, waiting: WaitingMessage): Promise<Outcome> {
    try {
      const message = await find(source, waiting);
      if (!message) return { reason: `its log is no longer in block ${waiting.block}` };
      return await bring(message, waiting);
    } catch (error) {
      if (!isAppError(error) || error.isRetryable) return 'away';
      return { reason: messageOf(error) };
    }
  }

  async function find(source: RelaySource, { block, index }: WaitingMessage): Promise<Message | undefined> {
    const logs = await logsOf(await chain(source.network), source, [block, block]);
    const log = logs.find((one) => one.index === index);
    return log && protocol.parse(source, log);
  }

  async function bring(message: Message, waiting: WaitingMessage): Promise<Outcome> {
    const destination = await chain(message.to);
    for (let taken = 0; taken <= mostSteps; taken += 1) {
      const step = await protocol.next(message, destination);
      if (step.kind === 'delivered') return 'delivered';
      const idempotencyKey = `${protocol.name}/${message.id}/${step.name}#${waiting.attempts}`;
      const reason = await sendOnce(destination, idempotencyKey, step.transaction);
      if (reason) return { reason };
    }
    throw new AppError('Conflict', 'the destination does not take it');
  }

  /** Undefined once it is in a block with success, else why not. */
  async function sendOnce(
    destination: TokenChain,
    idempotencyKey: string,
    transaction: Parameters<TokenChain['send']>[1],
  ): Promise<string | undefined> {
    const hash = await destination.send(idempotencyKey, transaction, 'service');
    const receipt = await awaitReceipt(destination, hash, clock);
    return receipt.isSuccess ? undefined : `transaction ${hash} failed`;
  }

  return {
    async deliver(source, waiting) {
      const lanes = Map.groupBy(waiting, ({ to }) => to);
      const left = await Promise.all([...lanes.values()].map((lane) => deliverLane(source, lane)));
      const all = left.flat();
      const isSame = all.length === waiting.length && all.every((message) => waiting.includes(message));
      return isSame ? waiting : all.sort((one, other) => one.block - other.block || one.index - other.index);
    },
  };
}
