import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { systemClock } from '../../../core/lib/clock.ts';
import { createManualClock } from '../../../core/lib/manualClock.ts';
import { noBudgetMetrics } from '../../http/limits/budgetMetrics.ts';
import { isUnread } from './connection.ts';
import { createNodeClient, type NodeClient } from './nodeClient.ts';
import type { NodeRequest } from './requestText.ts';

/** Each test has a node that answers bytes. */
let server: Server;
let client: NodeClient;
let sockets: Socket[];
let respond: (socket: Socket, text: string) => void;
/** How many answers have begun. */
let heads: number;
const limits = { connectMs: 30_000, idleMs: 60_000 };
const budgets = noBudgetMetrics;

beforeEach(async () => {
  sockets = [];
  heads = 0;
  server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => respond(socket, chunk.toString('latin1')));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  client = createNodeClient({ clock: systemClock, limits, budgets });
});
afterEach(async () => {
  await client.close();
  server.close();
});

const requestTo = (target: Pick<Server, 'address'>, change: Partial<NodeRequest> = {}): NodeRequest => ({
  upstream: { host: '127.0.0.1', port: (target.address() as AddressInfo).port },
  method: 'POST',
  path: '/',
  headers: { accept: '*/*' },
  body: Buffer.from('ask'),
  ...change,
});

interface Answer {
  status: number;
  text: string;
  error: Error | undefined;
  wasSent: boolean;
}

function ask(change: Partial<NodeRequest> = {}, target: Pick<Server, 'address'> = server): Promise<Answer> {
  const answer: Answer = { status: 0, text: '', error: undefined, wasSent: false };
  return new Promise((resolve) => {
    client.send(requestTo(target, change), {
      sent() {
        answer.wasSent = true;
      },
      head(status) {
        answer.status = status;
        heads += 1;
      },
      data(part) {
        answer.text += part.toString('latin1');
        return true;
      },
      end: (last) => resolve({ ...answer, text: answer.text + (last?.toString('latin1') ?? '') }),
      failed: (error) => resolve({ ...answer, error }),
    });
  });
}

const ok = (text: string) => `HTTP/1.1 200 OK\r\nContent-Length: ${text.length}\r\n\r\n${text}`;

describe('a request to a node', () => {
  it('is one head, with its length, and its body', async () => {
    const seen: string[] = [];
    respond = (socket, text) => {
      seen.push(text);
      socket.write(ok(''));
    };
    const { port } = requestTo(server).upstream;
    await ask();
    await ask({ method: 'GET', path: '/a?b', body: undefined });
    await ask({ method: 'PUT', body: undefined });
    const host = `host: 127.0.0.1:${port}\r\nconnection: keep-alive\r\naccept: */*\r\n`;
    expect(seen).toEqual([
      `POST / HTTP/1.1\r\n${host}content-length: 3\r\n\r\nask`,
      `GET /a?b HTTP/1.1\r\n${host}\r\n`,
      `PUT / HTTP/1.1\r\n${host}content-length: 0\r\n\r\n`,
    ]);
  });

  it.each([
    ['the path', { path: '/a b' }],
    ['the path', { path: '/a\r\nx: y' }],
    ['the method', { method: 'GET /' }],
    ['a value', { headers: { accept: 'a\r\nx: y' } }],
    ['a name', { headers: { 'a: b\r\nx': 'y' } }],
  ])('is not sent if %s could end its line', async (_name, change) => {
    const answer = await ask(change);
    expect(answer).toMatchObject({ error: expect.any(Error), wasSent: false });
  });

  it('carries a body of megabytes unchanged', async () => {
    const body = Buffer.from(Uint8Array.from({ length: 3_000_000 }, (_, index) => index % 256));
    const http = createHttpServer((request, response) => void request.pipe(response)).listen(0, '127.0.0.1');
    await once(http, 'listening');
    const { text } = await ask({ body }, http);
    expect(Buffer.from(text, 'latin1').equals(body)).toBe(true);
    http.close();
  });
});

describe('an answer of a node', () => {
  it.each([
    ['chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n'],
    [
      'an interim answer before it',
      `HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n${ok('abc')}`,
    ],
  ])('with %s is the same wherever its bytes are cut', async (_name, text) => {
    respond = (socket, request) => {
      const at = Number(/^GET \/(\d+)/.exec(request)?.[1]);
      socket.write(text.slice(0, at), () => setImmediate(() => socket.write(text.slice(at))));
    };
    for (let at = 1; at < text.length; at++) {
      expect(await ask({ method: 'GET', path: `/${at}`, body: undefined })).toMatchObject({
        status: 200,
        text: 'abc',
      });
    }
    expect(sockets).toHaveLength(1);
  });

  it.each([
    ['to HEAD', 'HEAD', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n'],
    ['with 204', 'GET', 'HTTP/1.1 204 No Content\r\n\r\n'],
    ['with 304', 'GET', 'HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n'],
  ])('%s has no body, and the connection stays', async (_name, method, text) => {
    respond = (socket) => void socket.write(text);
    await ask({ method, body: undefined });
    expect(await ask({ method, body: undefined })).toMatchObject({ text: '', error: undefined });
    expect(sockets).toHaveLength(1);
  });

  it('without a length ends with the connection', async () => {
    respond = (socket) => socket.end('HTTP/1.0 200 OK\r\n\r\nabc');
    expect(await ask()).toMatchObject({ status: 200, text: 'abc', error: undefined });
  });

  it.each([
    ['in the head', 'HTTP/1.1 200 OK\r\nContent-'],
    ['in the body', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc'],
    ['in chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc'],
  ])('that stops %s is a failure', async (_name, text) => {
    respond = (socket) => socket.end(text);
    expect((await ask()).error?.message).toBe('the node closed the connection');
  });

  it.each([
    ['no HTTP', 'hello\r\n\r\n'],
    ['a change of protocol', 'HTTP/1.1 101 Switching Protocols\r\n\r\n'],
    ['a head that never ends', `HTTP/1.1 200 OK\r\nX: ${'a'.repeat(17 * 1024)}`],
  ])('that is %s is a failure', async (_name, text) => {
    respond = (socket) => void socket.write(text);
    expect((await ask()).error?.message).toContain('not valid HTTP/1.1');
  });

  it.each([
    ['16 interim answers before it is passed on', 16, { text: 'abc', error: undefined }],
    [
      'more of them is a failure',
      17,
      { text: '', error: new Error('the node sent more than 16 interim answers') },
    ],
  ])('with %s', async (_name, count, expected) => {
    respond = (socket) => void socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(count) + ok('abc'));
    expect(await ask()).toMatchObject(expected);
    // The next one may have as many.
    expect(await ask()).toMatchObject(expected);
  });

  it('in chunks of a byte is passed on as it was read, not chunk by chunk', async () => {
    const begun = Promise.withResolvers<void>();
    const parts: number[] = [];
    respond = (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
      void begun.promise.then(() => socket.write(`${'1\r\nx\r\n'.repeat(10_000)}0\r\n\r\n`));
    };
    await new Promise<void>((resolve, reject) => {
      client.send(requestTo(server), {
        sent: () => undefined,
        head: () => begun.resolve(),
        data: (part) => parts.push(part.length) > 0,
        end: (last) => resolve(void parts.push(last?.length ?? 0)),
        failed: reject,
      });
    });
    expect(parts.reduce((sum, length) => sum + length)).toBe(10_000);
    expect(parts.length).toBeLessThan(100);
  });

  it('that does not come in time is a failure by its name', async () => {
    const clock = createManualClock();
    client = createNodeClient({ clock, limits, budgets });
    respond = () => clock.advance(limits.idleMs - 1000);
    const late = ask();
    while (sockets.length === 0) await new Promise(setImmediate);
    await once(sockets[0] as Socket, 'data');
    clock.advance(500);
    const isOpen = await Promise.race([late.then(() => false), new Promise(setImmediate).then(() => true)]);
    clock.advance(1000);
    expect(isOpen).toBe(true);
    expect(await late).toMatchObject({ error: { name: 'NodeTimeoutError' }, wasSent: true });
  });

  it('that its caller does not take for too long is a failure of its own, and leaves its connection to the next call', async () => {
    const clock = createManualClock();
    client = createNodeClient({ clock, limits, budgets });
    respond = (socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc');
    const parts: string[] = [];
    const { promise: failure, resolve: failed } = Promise.withResolvers<Error>();
    const sending = client.send(requestTo(server), {
      sent: () => undefined,
      head: () => undefined,
      end: () => undefined,
      failed,
      data: (part) => parts.push(part.toString()) < 0,
    });
    while (parts.length < 1) await new Promise(setImmediate);
    clock.advance(limits.idleMs - 1000);
    sending.resume();
    sockets[0]?.write('def');
    while (parts.length < 2) await new Promise(setImmediate);
    clock.advance(limits.idleMs - 1000);
    const isOpen = await Promise.race([
      failure.then(() => false),
      new Promise(setImmediate).then(() => true),
    ]);
    clock.advance(1000);
    expect([isOpen, isUnread(await failure)]).toEqual([true, true]);
  });

  it('of which its caller takes a little every now and then does not keep its connection for ever', async () => {
    const clock = createManualClock();
    client = createNodeClient({ clock, limits, budgets });
    respond = (socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nabc');
    let parts = 0;
    let failure: Error | undefined;
    const sending = client.send(requestTo(server), {
      sent: () => undefined,
      head: () => undefined,
      end: () => undefined,
      data() {
        parts += 1;
        return false;
      },
      failed(error) {
        failure = error;
      },
    });
    let taken = 0;
    for (; taken < 20 && !failure; taken += 1) {
      while (parts <= taken && !failure) await new Promise(setImmediate);
      clock.advance(limits.idleMs - 1000);
      await new Promise(setImmediate);
      sending.resume();
      sockets[0]?.write('def');
    }
    expect(taken).toBeLessThan(8);
    expect(failure && isUnread(failure)).toBe(true);
  });

  it('that has no end keeps one of 64 connections: of more, those end that have lasted longest, and others go on', async () => {
    const clock = createManualClock();
    client = createNodeClient({ clock, limits, budgets });
    respond = (socket) => void socket.write('HTTP/1.1 200 OK\r\n\r\n');
    const ended: number[] = [];
    const names = new Set<string | undefined>();
    const open = (index: number) =>
      void ask().then(({ error }) => {
        ended.push(index);
        names.add(error?.name);
      });
    const settle = async () => {
      for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
    };
    for (let index = 0; index < 70; index += 1) {
      open(index);
      clock.advance(10);
    }
    while (heads < 70) await settle();
    const passMinutes = async (minutes: number) => {
      for (let half = 0; half < 2 * minutes; half += 1) {
        for (const socket of sockets) socket.write('event');
        await settle();
        clock.advance(limits.idleMs / 2);
      }
      await settle();
    };
    await passMinutes(3.5);
    expect(ended).toEqual([]);
    await passMinutes(1);
    expect(ended.sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5]);
    open(70);
    await passMinutes(5);
    expect(ended).toHaveLength(7);
    expect(ended).toContain(6);
    expect(names).toEqual(new Set(['UnreadAnswerError']));
  });

  it('never becomes the answer to the next request', async () => {
    respond = (socket) => void socket.write(ok('mine') + ok('planted'));
    expect((await ask()).text).toBe('mine');
    respond = (socket) => void socket.write(ok('own'));
    expect((await ask()).text).toBe('own');
    expect(sockets).toHaveLength(2);
  });

  it('that nobody asked for ends the connection', async () => {
    respond = (socket) => void socket.write(ok('mine'));
    await ask();
    const closed = once(sockets[0] as Socket, 'close');
    sockets[0]?.write(ok('planted'));
    await closed;
    expect((await ask()).text).toBe('mine');
    expect(sockets).toHaveLength(2);
  });
});

describe('the connections to a node', () => {
  it('are used again, and opened as calls need them', async () => {
    respond = (socket) => void socket.write(ok('a'));
    await Promise.all([ask(), ask(), ask()]);
    await Promise.all([ask(), ask(), ask()]);
    expect(sockets).toHaveLength(3);
  });

  it('are at most 256, and further calls wait for one', async () => {
    const waiting: Socket[] = [];
    let isOpen = false;
    respond = (socket) => void (isOpen ? socket.write(ok('a')) : waiting.push(socket));
    const answers = Array.from({ length: 300 }, () => ask());
    while (waiting.length < 256) await new Promise(setImmediate);
    isOpen = true;
    for (const socket of waiting) socket.write(ok('a'));
    expect((await Promise.all(answers)).filter(({ text }) => text === 'a')).toHaveLength(300);
    expect(sockets).toHaveLength(256);
  });

  it('that fail let the next call that waits have another', async () => {
    const waiting: Socket[] = [];
    respond = (socket) => void waiting.push(socket);
    const answers = Array.from({ length: 257 }, () => ask());
    while (waiting.length < 256) await new Promise(setImmediate);
    respond = (socket) => void socket.write(ok('a'));
    waiting[0]?.destroy();
    expect((await answers[256])?.text).toBe('a');
    for (const socket of waiting.slice(1)) socket.write(ok('b'));
    const texts = (await Promise.all(answers)).map(({ text }) => text);
    expect(texts.filter((text) => text === '')).toHaveLength(1);
  });

  it('that are all in use let a call wait for so long, and then it fails, is counted and was not sent', async () => {
    const clock = createManualClock();
    const refused: string[] = [];
    const counted = { refused: (budget: string) => void refused.push(budget) };
    client = createNodeClient({ clock, limits, budgets: counted });
    const asked: Socket[] = [];
    respond = (socket) => void asked.push(socket);
    const running = Array.from({ length: 256 }, () => ask());
    while (asked.length < 256) await new Promise(setImmediate);
    clock.advance(limits.idleMs / 2);
    const late = ask();
    clock.advance(limits.idleMs / 2 - 1000);
    const later = ask();
    // The node goes on with all that it has.
    for (const socket of asked) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n');
    while (heads < 256) await new Promise(setImmediate);
    clock.advance(limits.idleMs / 2 + 1000);
    expect(await late).toMatchObject({
      wasSent: false,
      error: { reason: 'Unavailable', retryAfterSeconds: 5, message: expect.stringContaining('all in use') },
    });
    expect(refused).toEqual(['nodeConnections']);
    for (const socket of asked) socket.write('a');
    respond = (socket) => void socket.write(ok('a'));
    const answers = await Promise.all([...running, later]);
    expect(answers.filter(({ text }) => text === 'a')).toHaveLength(257);
    expect(sockets).toHaveLength(256);
  });

  it('go to the next call when the caller of one that waits has left', async () => {
    const asked: Socket[] = [];
    respond = (socket) => void asked.push(socket);
    const running = Array.from({ length: 256 }, () => ask());
    while (asked.length < 256) await new Promise(setImmediate);
    const failures: string[] = [];
    const sending = client.send(requestTo(server), {
      sent: () => failures.push('sent'),
      head: () => undefined,
      data: () => true,
      end: () => undefined,
      failed: (error) => failures.push(error.message),
    });
    const next = ask();
    sending.abort(new Error('gone'));
    sending.abort(new Error('gone again'));
    respond = (socket) => void socket.write(ok('a'));
    for (const socket of asked) socket.write(ok('a'));
    expect((await next).text).toBe('a');
    await Promise.all(running);
    expect(failures).toEqual(['gone']);
  });

  it('are not kept after a node said that it closes them', async () => {
    respond = (socket) =>
      void socket.write('HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
    await ask();
    await ask();
    expect(sockets).toHaveLength(2);
  });

  it.each([
    ['4 s', '', 3000, 1],
    ['4 s', '', 5000, 2],
    ['a second less than the node says', 'Keep-Alive: timeout=3\r\n', 1000, 1],
    ['a second less than the node says', 'Keep-Alive: timeout=3\r\n', 2000, 2],
  ])('are kept unused for %s (%s after %d ms: %d)', async (_name, field, waitedMs, opened) => {
    const clock = createManualClock();
    client = createNodeClient({ clock, limits, budgets });
    respond = (socket) => void socket.write(`HTTP/1.1 200 OK\r\n${field}Content-Length: 0\r\n\r\n`);
    await ask();
    clock.advance(waitedMs);
    await ask();
    expect(sockets).toHaveLength(opened);
  });

  it('fail their calls when the client closes', async () => {
    respond = () => undefined;
    const answers = Array.from({ length: 260 }, () => ask());
    while (sockets.length < 256) await new Promise(setImmediate);
    await client.close();
    expect((await Promise.all(answers)).every(({ error }) => error?.message === 'the server stops')).toBe(
      true,
    );
  });
});
