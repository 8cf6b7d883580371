import type { Duplex } from 'node:stream';
import type { RawData, WebSocket } from 'ws';
import type { Hold } from '../../http/limits/memoryBudget.ts';

/** What a chunk occupies in addition to its bytes. */
const chunkOverhead = 256;

/** Charges the messages that arrive on one side of a bridge and are not complete yet; `ws` keeps them in memory. */
export interface FrameMeter {
  /** Watches the raw stream; call it before `ws` reads from it. Pauses it: `ws` would miss what arrived with the upgrade. */
  beforeRead(stream: Duplex): void;
  /** The same once `ws` reads from it: it emits the messages in a chunk one after the other, later on. */
  afterRead(stream: Duplex, socket: WebSocket): void;
}

/**
 * `ws` does not tell how much it holds, so it is inferred from what arrives and what is emitted: too much by at most the chunk in
 * which the last message ended, and too little by at most what `ws` reads ahead while it emits the messages of a chunk, which the
 * least that a connection counts covers. `onExhausted` is called with the stream if `hold` refuses it.
 */
export function createFrameMeter(
  hold: Hold,
  { maskBytes, onExhausted }: { maskBytes: number; onExhausted: (stream: Duplex) => void },
): FrameMeter {
  let bytes = 0;
  let chunks = 0;
  let charged = 0;
  let newest = 0;
  const due = () => bytes + chunkOverhead * Math.min(chunks, bytes);
  const arrive = (stream: Duplex) => (chunk: Buffer) => {
    newest = chunk.length;
    bytes += chunk.length;
    chunks += 1;
    try {
      const more = Math.max(0, due() - charged);
      hold.take(more);
      charged += more;
    } catch {
      onExhausted(stream);
    }
  };
  const refund = () => {
    const less = Math.max(0, charged - due());
    hold.give(less);
    charged -= less;
  };
  const settle = () => {
    bytes = Math.max(0, bytes);
    if (bytes === 0) chunks = 0;
    refund();
  };
  const control = (data: Buffer) => {
    bytes -= data.length + 2 + maskBytes;
  };
  const message = (data: RawData) => {
    const taken = Buffer.isBuffer(data) ? data.length + headerBytes(data.length) + maskBytes : 0;
    // What is left is in the chunk in which the message ended, or was read ahead.
    bytes = Math.max(0, Math.min(bytes - taken, newest));
    chunks = Math.min(bytes, 1);
    refund();
  };
  return {
    beforeRead: (stream) => void stream.on('data', arrive(stream)).pause(),
    afterRead(stream, socket) {
      socket.on('message', message).on('ping', control).on('pong', control);
      stream.on('data', settle);
    },
  };
}

/** Of a frame without its mask (RFC 6455, 5.2). */
function headerBytes(length: number): number {
  if (length < 126) return 2;
  return length < 65_536 ? 4 : 10;
}
