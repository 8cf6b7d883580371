import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { joined, sendJson, streamJson, whenTaken } from './send.ts';

const part = JSON.stringify('x'.repeat(1024 * 1024 - 2));

/** Serves `parts` once; resolves with the response's head, and when the server is done with it. */
async function serve(parts: AsyncIterable<string>) {
  const done = Promise.withResolvers<unknown>();
  const server = createServer((_request, response) => {
    response.once('close', () => server.close());
    streamJson(response, 200, parts).then(done.resolve, (error: unknown) => {
      response.destroy();
      done.resolve(error);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const request = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', agent: false });
  const answer = once(request, 'response').then(([response]) => response as IncomingMessage);
  answer.catch(() => server.close());
  return { answer, done: done.promise };
}

/** Sends an answer, larger than what two sockets hold, to a client that does not read yet. */
async function sendUnread() {
  const sent = Promise.withResolvers<ServerResponse>();
  const server = createServer((_request, response) => {
    sendJson(response, 200, JSON.stringify('x'.repeat(64 * 1024 * 1024)));
    response.once('close', () => server.close());
    sent.resolve(response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
  client.on('error', () => undefined).write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  return { client, response: await sent.promise };
}

it('an answer is taken when the client has all of it', async () => {
  const { client, response } = await sendUnread();
  const taken = new Promise<void>((resolve) => whenTaken(response, resolve));
  let isTaken = false;
  void taken.then(() => {
    isTaken = true;
  });
  for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate);
  expect(isTaken).toBe(false);
  client.resume();
  await taken;
  expect(response.writableFinished).toBe(true);
});

it('a client that takes nothing of an answer is disconnected, and its answer given up', async () => {
  const { client, response } = await sendUnread();
  const taken = new Promise<void>((resolve) => whenTaken(response, resolve));
  expect(response.socket?.timeout).toBe(120_000);
  response.socket?.emit('timeout');
  await taken;
  expect(response.writableFinished).toBe(false);
  client.destroy();
});

it('parts are taken from their source as the client takes them', async () => {
  let taken = 0;
  const { answer, done } = await serve(
    (async function* endless() {
      for (;;) {
        taken += 1;
        yield part;
      }
    })(),
  );
  let bytes = 0;
  for await (const chunk of await answer) {
    bytes += chunk.length;
    if (bytes > 3 * part.length) break;
  }
  expect(await done).toBeUndefined();
  // What is beyond the three waits in the buffers of two sockets.
  expect(taken).toBeLessThan(40);
});

it('the connection ends without the end of the body when a part fails', async () => {
  const { answer, done } = await serve(
    (async function* failing() {
      yield '{"half":';
      throw new Error('gone');
    })(),
  );
  await expect(answer.then((response) => text(response))).rejects.toThrow('aborted');
  expect(await done).toMatchObject({ message: 'gone' });
});

it('nothing is sent when the first part fails', async () => {
  const { answer, done } = await serve(
    (async function* failing() {
      await Promise.reject(new Error('gone'));
      yield '{}';
    })(),
  );
  await expect(answer).rejects.toThrow('socket hang up');
  expect(await done).toMatchObject({ message: 'gone' });
});

it('small parts are joined to larger ones', async () => {
  const parts: string[] = [];
  const small = (async function* () {
    for (let at = 0; at < 100; at++) yield 'x'.repeat(1000);
  })();
  for await (const one of joined(small, 30_000)) parts.push(one);
  expect(parts.map(({ length }) => length)).toEqual([30_000, 30_000, 30_000, 10_000]);
});
