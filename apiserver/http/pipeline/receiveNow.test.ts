import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { noBudgetMetrics } from '../limits/budgetMetrics.ts';
import { createMemoryBudget } from '../limits/memoryBudget.ts';
import { receiveNow } from './receive.ts';

let server: Server;
let seen: (string | undefined)[];
let ended: number;
const budget = createMemoryBudget({ maxBytes: 64 * 1024 * 1024, metrics: noBudgetMetrics });

/** Answers each request with what `receiveNow` gave, asked once what arrived with the head was read. */
async function answer(request: IncomingMessage): Promise<string | undefined> {
  await undefined;
  const hold = budget.open('network', 'a');
  const bytes = receiveNow(request, { limitBytes: 1000, hold });
  hold.release();
  if (!bytes) request.resume();
  return bytes?.toString();
}

beforeEach(async () => {
  seen = [];
  ended = 0;
  server = createServer((request, response) => {
    request.on('end', () => {
      ended += 1;
    });
    void answer(request).then((text) => {
      seen.push(text);
      response.end('ok');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Sends bytes on one connection and waits for as many answers. */
async function send(text: string, answers: number): Promise<void> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(text);
  let received = '';
  while (received.split('HTTP/1.1 200').length <= answers) received += String(await once(socket, 'data'));
  socket.destroy();
}

const post = (length: number, body: string, field = `Content-Length: ${length}`) =>
  `POST / HTTP/1.1\r\nHost: a\r\n${field}\r\n\r\n${body}`;

it.each([
  ['a short body that came with its head', post(5, 'hello'), 'hello'],
  ['no body', post(0, ''), ''],
])('takes %s at once', async (_name, text, body) => {
  await send(text, 1);
  expect(seen).toEqual([body]);
});

it('takes each body of pipelined requests, and the messages end', async () => {
  await send(post(1, 'a') + post(2, 'bb') + post(0, '') + post(3, 'ccc'), 4);
  expect(seen).toEqual(['a', 'bb', '', 'ccc']);
  expect(ended).toBe(4);
});

it.each([
  ['over the limit', post(1001, 'x'.repeat(1001))],
  ['in chunks, whose end is not known', post(0, '5\r\nhello\r\n', 'Transfer-Encoding: chunked')],
  ['of which a part is missing', post(10, 'hello')],
])('leaves a body %s to be waited for', async (_name, text) => {
  await send(text, 1);
  expect(seen).toEqual([undefined]);
});
