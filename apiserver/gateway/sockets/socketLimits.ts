import type { WebSocket } from 'ws';
import { isAppError } from '../../../core/lib/errors.ts';
import type { Closing } from '../../http/limits/closing.ts';
import { isWork } from '../../http/limits/nodeWork.ts';
import type { Admitted, GatewayCore } from '../core.ts';
import { takeKept } from '../jsonrpc/jsonRpcCall.ts';
import { failureText, rpcCodes, type Screened } from '../policy/screen.ts';
import type { OpenCalls } from './openCalls.ts';
import type { Subscriptions } from './subscriptions.ts';

type Work = () => Promise<void> | void;

interface Connection {
  client: WebSocket;
  open: OpenCalls;
  subscriptions: Subscriptions;
  /** Answers the client in the node's place. */
  toClient(text: string): void;
  /** Ends the connection: its calls take too long for others. */
  cut(): void;
}

/**
 * Handles the messages of a connection within the limits of what they leave in the node, of subscriptions, and of what a node does at
 * a time. One that is over a limit is answered with it.
 */
export function createSocketLimits(core: GatewayCore, admitted: Admitted, connection: Connection) {
  const { subscriptions, toClient } = connection;
  const inItsPlace = createInPlace(core, admitted, connection);
  return (screened: Screened, work: Work): Promise<void> | void => {
    const refuse = (error: unknown) => toClient(limitText(screened, error));
    const counted = () => {
      takeKept(core, admitted, screened);
      return work();
    };
    const placed = isWork(screened.work) ? () => inItsPlace(screened, counted) : counted;
    if (screened.subscriptions.length > 0) return subscriptions.handle(screened, placed).catch(refuse);
    try {
      return placed()?.catch(refuse);
    } catch (error) {
      return refuse(error);
    }
  };
}

/**
 * Handles what a node does only a few at a time: what executes contracts after what came before it is answered, and with the calls of other
 * connections as many as the node can take. The calls end when the node has answered them, or with the connection, which ends if that takes
 * too long for others: the client may not read.
 */
function createInPlace(core: GatewayCore, { networkUid, key }: Admitted, { client, open, cut }: Connection) {
  return async ({ work }: Screened, handle: Work): Promise<void> => {
    if (work.computing > 0) await open.whenAnswered();
    const connection = closingOf(client);
    const place = await core.places.begin({ networkUid, key, work, connection });
    if (connection.destroyed) return place.end();
    place.endInTime(core.limits.idleMs, cut);
    try {
      await handle();
    } finally {
      void open.whenDone().then(place.end);
    }
  };
}

function closingOf(client: WebSocket): Closing {
  return {
    get destroyed() {
      return client.readyState >= client.CLOSING;
    },
    once: (event, listener) => client.once(event, listener),
    off: (event, listener) => client.off(event, listener),
  };
}

/** The answer to a message that is over a limit. Throws every other error. */
function limitText(screened: Screened, error: unknown): string {
  if (!isAppError(error, 'TooManyRequests')) throw error;
  return failureText(screened, rpcCodes.limitExceeded, error.message);
}
