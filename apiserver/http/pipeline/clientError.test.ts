import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
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

it('a request that takes too long is 408 with the limits', async () => {
  const socket = new PassThrough();
  answerClientError(Object.assign(new Error('timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket);
  const answer = await text(socket);
  expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  expect(answer).toContain('"reason":"RequestTimeout"');
});
