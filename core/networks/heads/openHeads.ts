import type { RawData } from 'ws';
import type { Clock } from '../../lib/clock.ts';
import { openNodeSocket } from '../../lib/http/nodeSocket.ts';
import { memberOf } from '../../lib/json/members.ts';
import { createGlances } from './glances.ts';
import type { Head, Subscription } from './subscriptions.ts';

interface OpenOptions {
  url: string;
  subscription: Subscription;
  clock: Clock;
  onHead(head: Head): void;
  /** The node has accepted the subscription: it announces each block from now on. */
  onBegin(): void;
  /** Called once, unless it was closed: the node ended it or was not reached. */
  onEnd(): void;
}

/** Opens a subscription of a node; the answer closes it. */
export type OpenHeads = (options: OpenOptions) => () => void;

/** How long a block that a chain went back from may be shown. */
const lookEveryMs = 2_000;
/** Announced blocks have at most 4 KiB. */
const maxPayload = 32 * 1024;
const connectMs = 10_000;
const closeMs = 1_000;

export const openHeads: OpenHeads = ({ url, subscription, clock, onHead, onBegin, onEnd }) => {
  const socket = openNodeSocket(url, { maxPayload, clock, connectMs });
  const looks = createLooks(subscription, clock, (call) => socket.send(JSON.stringify(call)));
  const glances = createGlances(clock, (text) => {
    const message = parse(text);
    if (isTaken(message)) onBegin();
    const head = subscription.headIn(message);
    if (head && looks.isNews(message)) onHead(head);
  });
  const take = (data: RawData) => {
    if (Buffer.isBuffer(data)) glances.take(data);
  };
  const stop = () => {
    looks.end();
    glances.end();
  };
  const end = () => {
    stop();
    onEnd();
  };
  socket.on('error', () => {}).on('message', take);
  socket.once('close', end).once('open', () => {
    for (const [id, call] of subscription.calls.entries()) {
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, ...call }));
    }
    looks.begin();
  });
  return () => {
    stop();
    socket.off('message', take).off('close', end);
    socket.close();
    clock.after(closeMs, () => socket.terminate(), 'background');
  };
};

/** Asks again and again for the newest block of a node that does not announce that its chain went back. */
function createLooks({ calls, look }: Subscription, clock: Clock, send: (call: unknown) => void) {
  const id = calls.length;
  let isOvertaken = false;
  let end = () => {};
  const begin = () => {
    if (!look) return;
    const ask = () => {
      isOvertaken = false;
      send({ jsonrpc: '2.0', id, ...look });
      begin();
    };
    end = clock.after(lookEveryMs, ask, 'background');
  };
  return {
    begin,
    end: () => end(),
    /** Whether the head in a message is the newest one: an announced block overtakes the answer to a look before it. */
    isNews(message: unknown): boolean {
      if (memberOf(message, 'id') === id) return !isOvertaken;
      isOvertaken = true;
      return true;
    },
  };
}

function parse(text: Buffer): unknown {
  try {
    return JSON.parse(text.toString());
  } catch {
    return undefined;
  }
}

/** The answer to the first call, which subscribes; an engine without subscriptions answers with an error. */
function isTaken(message: unknown): boolean {
  if (typeof message !== 'object' || message === null || !('id' in message)) return false;
  return message.id === 0 && 'result' in message;
}
