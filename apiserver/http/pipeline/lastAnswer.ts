import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** How long a client may be silent before its connection is closed. */
const silentMs = 2_000;
/** Of at most 64 KiB each. */
const maxChunks = 128;

const answered = new WeakSet<Duplex>();

/** Whether a connection has had its last answer, so that whatever still arrives on it is discarded. */
export function isAnswered(socket: Duplex): boolean {
  return answered.has(socket);
}

/**
 * Sends the last answer of a connection and closes it once the client has. Closed at once, it would answer what the client
 * is still sending with a reset, which overtakes the answer: a proxy would report a broken connection instead of it.
 */
export function answerLast(socket: Duplex, text: string): void {
  answered.add(socket);
  let left = maxChunks;
  socket.end(text);
  socket.on('data', () => {
    left -= 1;
    if (left === 0) socket.destroy();
  });
  socket.resume();
  if (socket instanceof Socket) socket.setTimeout(silentMs, () => socket.destroy());
}
