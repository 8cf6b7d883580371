import type { WebSocket } from 'ws';
import type { Hold } from '../../http/limits/memoryBudget.ts';
import { pause, resume } from './pauses.ts';

/** Whose messages wait. */
interface Waiter {
  client: WebSocket;
  hold: Hold;
  /** Whether the client may still be answered. */
  isCurrent(): boolean;
  /** Told what `handle` throws after it has waited. */
  onError(error: unknown): void;
}

/** What a message that waits occupies besides its text. */
const waitingBytes = 256;

/**
 * Handles messages one after the other. While one is being handled, the client is not read; those that had come by then wait, and
 * are charged. They are dropped when the client has gone or its access key was replaced.
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
    pause(client, waiting);
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
    if (!isBusy) resume(client, waiting);
  }
  return (message) => {
    if (!isBusy) return run(message);
    hold.take(message.length + waitingBytes);
    waiting.push(message);
  };
}
