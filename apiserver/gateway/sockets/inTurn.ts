import type { WebSocket } from 'ws';
import { AppError } from '../../../core/lib/errors.ts';
import type { Hold } from '../../http/limits/memoryBudget.ts';

/** Whose messages wait. */
interface Waiter {
  client: WebSocket;
  hold: Hold;
  /** Whether the client may still be answered. */
  isCurrent(): boolean;
  /** Told what `handle` throws after it has waited. */
  onError(error: unknown): void;
}

/** Messages that wait, and what each occupies besides its text. */
const maxWaiting = 1000;
const waitingBytes = 256;

/**
 * Handles messages one after the other. While one waits for its turn to end, those that come are charged, and the client is read again once
 * there is room. What waits ends with the client or its access key.
 */
export function inTurn(
  { client, hold, isCurrent, onError }: Waiter,
  handle: (message: Buffer) => Promise<void> | void,
): (message: Buffer) => void {
  const waiting: Buffer[] = [];
  let isBusy = false;
  const give = (message: Buffer) => hold.give(message.length + waitingBytes);
  const end = () => waiting.splice(0).forEach(give);
  client.once('close', end);
  const run = (message: Buffer) => {
    const handling = handle(message);
    if (!handling) return;
    isBusy = true;
    client.pause();
    void handling.catch(onError).then(goOn);
  };
  const runNext = (message: Buffer) => {
    give(message);
    try {
      run(message);
    } catch (error) {
      onError(error);
    }
  };
  function goOn(): void {
    isBusy = false;
    if (client.readyState !== client.OPEN || !isCurrent()) end();
    for (let next = waiting.shift(); next; next = isBusy ? undefined : waiting.shift()) runNext(next);
    if (!isBusy && client.readyState === client.OPEN) client.resume();
  }
  return (message) => {
    if (!isBusy) return run(message);
    if (waiting.length >= maxWaiting) throw new AppError('Unavailable', 'too many messages wait');
    hold.take(message.length + waitingBytes);
    waiting.push(message);
  };
}
