import { WebSocket } from 'undici';
import type { Head, Subscription } from './subscriptions.ts';

interface OpenOptions {
  url: string;
  subscription: Subscription;
  onHead(head: Head): void;
  /** The node has accepted the subscription: it announces each block from now on. */
  onBegin(): void;
  /** Called once, unless it was closed: the node ended it or was not reached. */
  onEnd(): void;
}

/** Opens a subscription of a node; the answer closes it. */
export type OpenHeads = (options: OpenOptions) => () => void;

export const openHeads: OpenHeads = ({ url, subscription, onHead, onBegin, onEnd }) => {
  const socket = new WebSocket(url);
  const own = new AbortController();
  const { signal } = own;
  socket.addEventListener(
    'open',
    () => {
      for (const [id, call] of subscription.calls.entries()) {
        socket.send(JSON.stringify({ jsonrpc: '2.0', id, ...call }));
      }
    },
    { signal },
  );
  socket.addEventListener(
    'message',
    ({ data }) => {
      const message = parse(data);
      if (isTaken(message)) onBegin();
      const head = subscription.headIn(message);
      if (head) onHead(head);
    },
    { signal },
  );
  socket.addEventListener('error', () => {});
  socket.addEventListener('close', onEnd, { signal, once: true });
  return () => {
    own.abort();
    socket.close();
  };
};

function parse(data: unknown): unknown {
  try {
    return JSON.parse(String(data));
  } catch {
    return undefined;
  }
}

/** The answer to the first call, which subscribes; an engine without subscriptions answers with an error. */
function isTaken(message: unknown): boolean {
  if (typeof message !== 'object' || message === null || !('id' in message)) return false;
  return message.id === 0 && 'result' in message;
}
