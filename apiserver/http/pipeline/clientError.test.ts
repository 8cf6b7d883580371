import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { answerClientError } from './clientError.ts';

it.each([
  ['a query that is too long', `GET /?cursor=${'x'.repeat(20_000)} HTTP/1.1\r\n\r\n`, 431, 'HeadersTooLarge'],
  [
    'a header that is too long',
    `GET / HTTP/1.1\r\nX-A: ${'x'.repeat(20_000)}\r\n\r\n`,
    431,
    'HeadersTooLarge',
  ],
  ['text that is not HTTP', 'hello\r\n\r\n', 400, 'BadRequest'],
  ['a control character in a header', 'GET / HTTP/1.1\r\nX-A: \u0001\r\n\r\n', 400, 'BadRequest'],
])('%s is answered with an Error object', async (_what, request, status, reason) => {
  const server = createServer((_request, response) => response.end('served'));
  server.on('clientError', answerClientError);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.end(request);
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
  server.close();
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  const { requestId, ...error } = JSON.parse(body);
  expect(error).toMatchObject({ kind: 'Error', reason, message: expect.any(String) });
  expect(head).toContain(`X-Request-ID: ${requestId}`);
});

it('a client that is still sending gets the answer, and no reset that overtakes it', async () => {
  const server = createServer();
  server.on('clientError', answerClientError);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const connections = once(server, 'connection');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  // As a proxy does that reads the answer after it has sent the request.
  socket.pause();
  const [connection] = await connections;
  socket.write(`GET /?cursor=${'x'.repeat(20_000)}`);
  await once(server, 'clientError');
  for (let part = 0; part < 3; part++) {
    const { bytesRead } = connection;
    await new Promise((written) => socket.write('x'.repeat(50_000), written));
    while (!connection.destroyed && connection.bytesRead < bytesRead + 50_000) await nextTurn();
  }
  socket.end();
  const answer = await text(socket);
  server.close();
  expect(answer).toMatch(/^HTTP\/1\.1 431 /);
  expect(answer).toContain('"reason":"HeadersTooLarge"');
});

it('a request that takes too long is 408 with the limits', async () => {
  const socket = new PassThrough();
  answerClientError(Object.assign(new Error('timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket);
  const answer = await text(socket);
  expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  expect(answer).toContain('"reason":"RequestTimeout"');
});
