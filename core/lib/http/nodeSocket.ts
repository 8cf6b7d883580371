import { WebSocket } from 'ws';
import type { Clock } from '../clock.ts';
import { countInterimHeads } from './interimHeads.ts';

/** How frames are read, whoever sends them. */
export const frameLimits = {
  perMessageDeflate: false,
  /** One message of each connection at a time, so that none with thousands of them keeps all others waiting. */
  allowSynchronousEvents: false,
  /** A fragment of a byte occupies a hundred. */
  maxFragments: 512,
  /** The pieces in which an unfinished message came: joining them takes `ws` time by the square of their number. */
  maxBufferedChunks: 16 * 1024,
} as const;

interface NodeSocketOptions {
  protocols?: string[];
  headers?: Record<string, string>;
  /** The longest message, in bytes; a longer one closes the connection with 1009. */
  maxPayload: number;
  clock: Clock;
  /** How long the node may take to accept the connection. */
  connectMs: number;
}

/** Opens a WebSocket to a node, of which somebody else may write the answers. After an `error`, `close` follows. */
export function openNodeSocket(url: string, options: NodeSocketOptions): WebSocket {
  const { protocols = [], headers = {}, maxPayload, clock, connectMs } = options;
  return new WebSocket(url, protocols, {
    ...frameLimits,
    headers,
    followRedirects: false,
    maxPayload,
    finishRequest(request, socket) {
      const late = () => request.destroy(new Error('the node did not accept the connection in time'));
      const cancel = clock.after(connectMs, late, 'background');
      socket.once('open', cancel).once('close', cancel);
      const tooMany = () => request.destroy(new Error('the node sent too many interim answers'));
      request.on('information', countInterimHeads(tooMany));
      request.end();
    },
  });
}
