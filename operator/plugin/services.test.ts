import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createCallService } from './services.ts';

const server = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    if (request.url === '/large') return void response.end('x'.repeat(257 * 1024));
    if (request.url === '/away') return void response.writeHead(302, { location: '/' }).end();
    response.setHeader('Set-Cookie', ['a=1; Path=/', 'b=2']);
    response.writeHead(201, { 'X-Kind': 'Job' });
    response.end(JSON.stringify([request.method, request.url, request.headers['x-key'], body]));
  });
});
let callService: ReturnType<typeof createCallService>;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  callService = createCallService((uid, service) =>
    uid === 'net' && service === 'api' ? `http://127.0.0.1:${port}` : undefined,
  );
});
afterAll(() => void server.close());

it('gives the status, the headers with each cookie, and the body of an answer', async () => {
  const request = { method: 'PUT', path: '/jobs?a=b', headers: { 'X-Key': 'k' }, body: '{}' } as const;
  const { status, headers, body } = await callService('net', 'api', request);
  expect(status).toBe(201);
  expect(headers).toMatchObject({ 'x-kind': 'Job', 'set-cookie': 'a=1; Path=/\nb=2' });
  expect(JSON.parse(body)).toEqual(['PUT', '/jobs?a=b', 'k', '{}']);
});

it('does not follow redirects', async () => {
  expect(await callService('net', 'api', { method: 'GET', path: '/away' })).toMatchObject({ status: 302 });
});

it.each([
  ['whose pod is not ready', 'other', '/', 'the service other cannot be reached: its pod is not ready'],
  ['that answers with too much', 'api', '/large', /its answer has more than 262144 bytes/],
])('a service %s is worth a retry', async (_reason, service, path, message) => {
  const failed = callService('net', service, { method: 'GET', path });
  await expect(failed).rejects.toMatchObject({
    reason: 'Unavailable',
    message: expect.stringMatching(message),
  });
});
