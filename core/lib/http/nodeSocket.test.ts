import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { createManualClock } from '../manualClock.ts';
import { openNodeSocket } from './nodeSocket.ts';

let server: WebSocketServer;
let socket: WebSocket;
/** What the socket reads comes from here. */
let stream: IncomingMessage['socket'];
beforeEach(async () => {
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const options = { maxPayload: 1024 * 1024, clock: createManualClock(), connectMs: 1000 };
  socket = openNodeSocket(`ws://127.0.0.1:${port}`, options);
  socket.once('upgrade', (answer) => {
    stream = answer.socket;
  });
  await once(socket, 'open');
});
afterEach(() => {
  socket.terminate();
  server.close();
});

/** The head of a text frame of this length. */
const frameOf = (length: number) =>
  Buffer.from([0x81, 127, 0, 0, 0, 0, 0, (length >> 16) & 255, (length >> 8) & 255, length & 255]);

it.each([
  ['is read', 16_000],
  ['ends the connection', 17_000],
])('a message that comes in as many pieces %s: %d', async (_outcome, pieces) => {
  const messages: number[] = [];
  socket.on('message', (data) => messages.push(String(data).length));
  const errors: string[] = [];
  socket.on('error', ({ message }) => errors.push(message));
  stream.emit('data', frameOf(pieces));
  const piece = Buffer.from('x');
  for (let sent = 0; sent < pieces && errors.length === 0; sent += 1) stream.emit('data', piece);
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  if (pieces < 16_384) expect([messages, errors]).toEqual([[pieces], []]);
  else expect([messages, errors]).toEqual([[], ['Too many buffered chunks']]);
});

it('a message that is longer than allowed ends the connection before it is read', async () => {
  const failed = once(socket, 'error');
  stream.emit('data', frameOf(1024 * 1024 + 1));
  expect((await failed)[0].message).toBe('Max payload size exceeded');
});
