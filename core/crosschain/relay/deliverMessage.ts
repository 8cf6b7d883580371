import { followSent } from '../../deploy/follow.ts';
import type { TokenPorts } from '../../deploy/ports.ts';
import type { Clock } from '../../lib/clock.ts';
import { AppError, isAppError, messageOf } from '../../lib/errors.ts';
import type { ChainLog, RelayMessage, RelayProtocol, RelaySource, WaitingMessage } from './protocol.ts';

/** `unreachable`: a chain could not be asked, so nothing is known about the message. */
export type DeliveryOutcome = 'delivered' | 'unreachable' | { reason: string };

export interface DeliveryContext<Message extends RelayMessage> {
  protocol: RelayProtocol<Message>;
  chain: TokenPorts['chain'];
  clock: Clock;
  /** The source's logs in a block. */
  logsIn(block: number): Promise<ChainLog[]>;
}

/** A message needs one or two transactions; if it needs more, the destination will never accept it. */
const maxTransactions = 4;
/** A later pass continues with the same transaction, so that a chain without blocks does not occupy a worker. */
const receiptTimeoutMs = 10_000;

/** Delivers one message to its destination. Never rejects: failures are part of the outcome. */
export async function deliverMessage<Message extends RelayMessage>(
  context: DeliveryContext<Message>,
  source: RelaySource,
  waiting: WaitingMessage,
): Promise<DeliveryOutcome> {
  try {
    const message = await find(context, source, waiting);
    if (message?.id !== waiting.id) return { reason: `block ${waiting.block} does not contain it any more` };
    return await sendAll(context, message, waiting.attempts);
  } catch (error) {
    if (!isAppError(error) || error.isRetryable) return 'unreachable';
    return { reason: messageOf(error) };
  }
}

async function find<Message extends RelayMessage>(
  { protocol, logsIn }: DeliveryContext<Message>,
  source: RelaySource,
  { block, index }: WaitingMessage,
): Promise<Message | undefined> {
  const logs = await logsIn(block);
  const log = logs.find((one) => one.index === index);
  return log && protocol.parse(source, log);
}

/** Sends one transaction after the other until the protocol finds the message delivered. */
async function sendAll<Message extends RelayMessage>(
  { protocol, chain, clock }: DeliveryContext<Message>,
  message: Message,
  attempt: number,
): Promise<DeliveryOutcome> {
  const destination = await chain(message.to);
  for (let sent = 0; sent <= maxTransactions; sent += 1) {
    const step = await protocol.next(message, destination);
    if (step.kind === 'delivered') return 'delivered';
    const idempotencyKey = `${protocol.name}/${message.id}/${step.name}#${attempt}`;
    const hash = await destination.send(idempotencyKey, step.transaction, 'service');
    const transaction = { idempotencyKey, hash, timeoutMs: receiptTimeoutMs };
    const receipt = await followSent(destination, transaction, clock);
    if ('dropped' in receipt) return { reason: `transaction ${hash} was dropped: ${receipt.dropped}` };
    if (!receipt.isSuccess) return { reason: `transaction ${hash} failed` };
  }
  throw new AppError('Conflict', 'the destination does not accept it');
}
