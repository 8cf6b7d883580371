import type { WebSocket } from 'ws';
import type { Hold } from '../../http/limits/memoryBudget.ts';
import type { Admitted, GatewayCore } from '../core.ts';
import type { Screened } from '../policy/screen.ts';
import type { OpenCalls } from './openCalls.ts';

/** Works out a message and gives `answer` its text, or undefined if it is to be forwarded. Resolves when the next message may be handled. */
type SocketAssistance = (screened: Screened, answer: (own: string | undefined) => void) => Promise<void>;

interface Socket {
  client: WebSocket;
  hold: Hold;
  open: OpenCalls;
  /** Told what fails once the next message is handled. */
  onError(error: unknown): void;
}

/**
 * What the gateway works out for a WebSocket connection, beside which it asks the node over connections of its own: after the node has
 * answered what was forwarded before. What waits for a transaction keeps no other message waiting once that is sent.
 */
export function createSocketAssistance(
  core: Pick<GatewayCore, 'assistance'>,
  { networkUid }: Pick<Admitted, 'networkUid'>,
  { client, hold, open, onError }: Socket,
): SocketAssistance {
  const caller = new AbortController();
  client.once('close', () => caller.abort());
  return async (screened, answer) => {
    await open.whenAnswered();
    let taken = 0;
    const take = (bytes: number) => {
      hold.take(bytes);
      taken += bytes;
    };
    const { promise: isDone, resolve: noteDone } = Promise.withResolvers<void>();
    const answered = core
      .assistance({ networkUid, screened, signal: caller.signal, noteDone, take })
      .then(answer)
      .catch(onError)
      .finally(() => hold.give(taken));
    await Promise.race([answered, isDone]);
  };
}
