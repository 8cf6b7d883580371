import { randomBytes } from 'node:crypto';
import { type Client, dial } from './clients.ts';

/** Final frames (RFC 6455, 5.2). */
const text = 0x81;
const ping = 0x89;

/** A WebSocket client that costs almost nothing: frames are made once, and of an answer only its length is read. */
export async function openSocket(url: string, body: string): Promise<Client> {
  const { host, hostname, port, pathname } = new URL(url);
  const socket = await dial(hostname, Number(port));
  const key = randomBytes(16).toString('base64');
  const lines = [
    `GET ${pathname} HTTP/1.1`,
    `Host: ${host}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${key}`,
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  const [head] = await new Promise<[Buffer]>((resolve) =>
    socket.once('data', (chunk: Buffer) => resolve([chunk])),
  );
  if (!head.toString('latin1').startsWith('HTTP/1.1 101')) throw new Error(head.toString('latin1'));
  const frame = frameOf(body);
  let received: Buffer = Buffer.alloc(0);
  let settle: { resolve(): void; reject(error: Error): void } | undefined;
  socket.on('data', (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    for (let length = lengthOf(received); length !== undefined && received.length >= length; ) {
      const type = received[0];
      received = received.subarray(length);
      length = lengthOf(received);
      // Pings of the node are passed on. Connections are closed before an answer to them is missed.
      if (type === text) settle?.resolve();
      else if (type !== ping) settle?.reject(new Error(`unexpected frame ${type}`));
    }
  });
  socket.on('error', (error) => settle?.reject(error));
  return {
    call: () =>
      new Promise((resolve, reject) => {
        settle = { resolve, reject };
        socket.write(frame);
      }),
    close: async () => void socket.destroy(),
  };
}

/** A text frame of a client (RFC 6455, 5.2), masked with a fixed key. */
function frameOf(message: string): Buffer {
  const payload = Buffer.from(message);
  const mask = Buffer.from([1, 2, 3, 4]);
  const masked = payload.map((byte, index) => byte ^ (mask[index % 4] ?? 0));
  const short = payload.length < 126;
  const head = short
    ? [text, 0x80 | payload.length]
    : [text, 0x80 | 126, payload.length >> 8, payload.length & 255];
  return Buffer.concat([Buffer.from(head), mask, masked]);
}

/** The length of the first frame of a server, which is not masked; undefined if its head is not complete. */
function lengthOf(received: Buffer): number | undefined {
  if (received.length < 4) return undefined;
  const short = (received[1] ?? 0) & 127;
  if (short < 126) return 2 + short;
  return short === 126 ? 4 + received.readUInt16BE(2) : undefined;
}
