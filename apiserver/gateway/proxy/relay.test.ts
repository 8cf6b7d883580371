import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect, createServer as createTcpServer } from 'node:net';
import { freePort } from '../../../core/lib/testing/freePort.ts';
import { call, type Node, post, raw, startNode, startWorld, type World } from '../testing/fixtures.ts';

/** Each test has its own node and decides how it answers each request. */
let node: Node;
let world: World;
let requests: number;
let respond: (response: ServerResponse, count: number) => void;

beforeEach(async () => {
  requests = 0;
  node = await startNode((request, response) => {
    void request.toArray().then((chunks) => {
      // The gateway's own question, whether the chain makes blocks by itself, does not count as an attempt.
      if (Buffer.concat(chunks).includes('anvil_getAutomine')) response.writeHead(404).end();
      else respond(response, ++requests);
    });
  });
  world = await startWorld(node, { limits: { idleMs: 1500, drainMs: 100 } });
});
afterEach(async () => {
  await world.close();
  await node.close();
});

const answered = '{"jsonrpc":"2.0","id":1,"result":"0x1"}';

describe('a network that is not up', () => {
  it('is woken, and the call is answered once it is', async () => {
    respond = (response) => void response.end(answered);
    world.setNetwork({ state: 'Stopped' });
    const held = post(world.url(), call('eth_chainId'));
    while (world.woken.length === 0) await new Promise(setImmediate);
    expect(await world.metricsText()).toContain('slipway_rpc_held_requests 1');
    world.setNetwork({ state: 'Pending' });
    world.setNetwork({ state: 'Operational' });
    expect((await held).text).toBe(answered);
    expect(await world.metricsText()).toContain('slipway_rpc_held_requests 0');
  });

  it('is a 503 with the ids of the calls if it does not start in time', async () => {
    const hasty = await startWorld(undefined, { settings: { holdSeconds: 0, maxBodyBytes: 1024 } });
    const single = await post(hasty.url(), call('eth_chainId', [], 'a'));
    expect(single.status).toBe(503);
    expect(single.headers.get('retry-after')).toBe('2');
    const error = { code: -32002, message: 'the network is starting; retry' };
    expect(single.json).toEqual({ jsonrpc: '2.0', id: 'a', error });
    const batch = await post(hasty.url(), [call('eth_chainId', [], 1), call('evm_mine', [], 2)]);
    expect(batch.json).toMatchObject([
      { id: 1, error },
      { id: 2, error: { code: -32601 } },
    ]);
    await hasty.close();
  });

  it('reports the reason if it is in state Error', async () => {
    world.setNetwork({ state: 'Error', message: 'the image cannot be pulled' });
    const { status, json } = await post(world.url(), call('eth_chainId'));
    expect(status).toBe(503);
    expect(json.error.message).toContain('the image cannot be pulled');
  });

  it('is a 404 when it is deleted', async () => {
    world.setNetwork({ isDeleting: true });
    expect((await post(world.url(), call('eth_chainId'))).status).toBe(404);
  });

  it('is a 503 for held calls when the gateway closes', async () => {
    world.setNetwork({ state: 'Stopped' });
    const held = post(world.url(), call('eth_chainId'));
    while (world.woken.length === 0) await new Promise(setImmediate);
    await world.closeGateway();
    expect((await held).status).toBe(503);
  });
});

describe('a node that fails', () => {
  const drop = (response: ServerResponse) => void response.socket?.destroy();

  it('gets a read again', async () => {
    respond = (response, count) => (count === 1 ? drop(response) : void response.end(answered));
    expect((await post(world.url(), call('eth_chainId'))).text).toBe(answered);
    expect(requests).toBe(2);
  });

  it.each(['eth_sendRawTransaction', 'eth_getFilterChanges', 'eth_newFilter'])(
    'gets %s only once, whatever happens',
    async (method) => {
      respond = drop;
      const { status, json } = await post(world.url(), call(method));
      expect(status).toBe(502);
      expect(json).toMatchObject({
        id: 1,
        error: { code: -32603, message: expect.stringContaining('may have taken effect') },
      });
      expect(requests).toBe(1);
    },
  );

  it('gets no third attempt', async () => {
    respond = drop;
    expect((await post(world.url(), call('eth_chainId'))).status).toBe(502);
    expect(requests).toBe(2);
  });

  it('gets a transaction at its new address if the old one refused the connection', async () => {
    respond = (response) => void response.end(answered);
    world.setUpstream({ host: '127.0.0.1', port: await freePort() });
    const sent = post(world.url(), call('eth_sendRawTransaction'));
    while (!(await world.metricsText()).includes('slipway_rpc_held_requests 1'))
      await new Promise(setImmediate);
    world.setUpstream(node);
    expect((await sent).text).toBe(answered);
    expect(requests).toBe(1);
  });

  it('is a 503 when nobody listens there', async () => {
    world.setUpstream({ host: '127.0.0.1', port: await freePort() });
    const { status, headers, json } = await post(world.url(), call('eth_chainId'));
    expect(status).toBe(503);
    expect(headers.get('retry-after')).toBe('1');
    expect(json.error.code).toBe(-32002);
  });

  it('is a 503 with the ids of the calls if its connections stay in use for too long', async () => {
    const patient = await startWorld(node, { limits: { idleMs: 5000, drainMs: 100 } });
    const busy: ServerResponse[] = [];
    respond = (response) => void busy.push(response);
    const keepBusy = setInterval(() => {
      for (const response of busy) response.write(' ');
    }, 200);
    const running = Array.from({ length: 256 }, () => post(patient.url(), call('eth_chainId')));
    while (busy.length < 256) await new Promise(setImmediate);
    const { status, headers, json } = await post(patient.url(), call('eth_sendRawTransaction', [], 7));
    clearInterval(keepBusy);
    expect([status, headers.get('retry-after')]).toEqual([503, '5']);
    expect(json).toEqual({
      jsonrpc: '2.0',
      id: 7,
      error: {
        code: -32002,
        message: expect.stringContaining('the 256 connections to the node are all in use'),
      },
    });
    for (const response of busy) response.end(answered);
    expect((await Promise.all(running)).every(({ json: { result } }) => result === '0x1')).toBe(true);
    await patient.close();
  });

  it('is a 504 if it sends nothing for too long', async () => {
    respond = () => undefined;
    const { status, json } = await post(world.url(), call('eth_sendRawTransaction'));
    expect(status).toBe(504);
    expect(json.error.message).toContain('did not answer in time');
  });

  it('closes the client connection if it disconnects in the middle of an answer', async () => {
    respond = (response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"jsonrpc"', () => response.socket?.destroy());
    };
    await expect(post(world.url(), call('eth_chainId'))).rejects.toThrow();
  });

  const garbage: [string, string][] = [
    ['text that is not HTTP', 'hello\r\n\r\n'],
    ['no status', 'HTTP/1.1 abc OK\r\n\r\n'],
    ['a header that never ends', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}`],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
    ['two framings', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['a header with a line break', 'HTTP/1.1 200 OK\r\nx: a\nSet-Cookie: b\rc\r\n\r\n'],
  ];
  it.each(garbage)('is a 502 if it answers with %s', async (_reason, bytes) => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => undefined).on('data', () => socket.end(bytes));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    world.setUpstream({ host: '127.0.0.1', port: (server.address() as { port: number }).port });
    const { status, json } = await post(world.url(), call('eth_sendRawTransaction'));
    expect(status).toBe(502);
    expect(json).toMatchObject({ id: 1, error: { code: -32603 } });
    server.close();
  });
});

describe('an answer of a gigabyte', () => {
  const chunk = Buffer.alloc(1024 * 1024, 0x20);
  let written: number;
  beforeEach(() => {
    written = 0;
    respond = (response) => {
      response.writeHead(200, { 'content-length': String(1024 * chunk.length) });
      const more = () => {
        while (!response.destroyed && written < 1024 * chunk.length) {
          written += chunk.length;
          if (!response.write(chunk)) return void response.once('drain', more);
        }
      };
      more();
    };
  });

  it('pauses while the caller does not read it, and ends if the caller disconnects', async () => {
    const body = JSON.stringify(call('eth_getLogs'));
    const response = await fetch(world.url(), { method: 'POST', body });
    const reader = response.body?.getReader();
    let read = (await reader?.read())?.value?.length ?? 0;
    let before = -1;
    while (written !== before) {
      before = written;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(written).toBeLessThan(64 * chunk.length);
    while (read < 64 * chunk.length) read += (await reader?.read())?.value?.length ?? 0;
    expect(written).toBeGreaterThan(before);
    await reader?.cancel();
    respond = (next) => void next.end(answered);
    expect((await post(world.url(), call('eth_chainId'))).text).toBe(answered);
  });
});

describe('a caller who takes nothing of an answer for too long', () => {
  it('is disconnected, and the connection to the node is free for others', async () => {
    const cut = new Promise((resolve) => {
      respond = (response) => {
        response.once('close', resolve).writeHead(200, { 'content-length': String(2 ** 30) });
        response.write(Buffer.alloc(16 * 1024 * 1024));
      };
    });
    const { hostname, port } = new URL(world.url());
    const body = JSON.stringify(call('eth_getLogs'));
    const socket = connect(Number(port), hostname, () => {
      socket.write(`POST ${new URL(world.url()).pathname} HTTP/1.1\r\nHost: a\r\n`);
      socket.write(`Content-Length: ${body.length}\r\n\r\n${body}`);
    });
    socket.on('error', () => undefined).pause();
    await cut;
    const closed = once(socket, 'close');
    socket.resume();
    await closed;
    expect(await world.metricsText()).toMatch(/requests_total\{service="rpc",outcome="aborted"\} 1/);
  });
});

describe('a caller who disconnects', () => {
  it('ends the call at the node', async () => {
    const cut = new Promise<void>((resolve) => {
      respond = (response) => void response.once('close', resolve);
    });
    const abort = new AbortController();
    const sent = fetch(world.url(), {
      method: 'POST',
      body: JSON.stringify(call('eth_call')),
      signal: abort.signal,
    }).catch(() => undefined);
    while (requests === 0) await new Promise(setImmediate);
    abort.abort();
    await cut;
    await sent;
    expect(requests).toBe(1);
  });

  it('is not waited for while the request is held', async () => {
    world.setNetwork({ state: 'Stopped' });
    const abort = new AbortController();
    const body = JSON.stringify(call('eth_call'));
    const sent = fetch(world.url(), { method: 'POST', body, signal: abort.signal }).catch(() => undefined);
    while (world.woken.length === 0) await new Promise(setImmediate);
    abort.abort();
    await sent;
    while (!(await world.metricsText()).includes('slipway_rpc_held_requests 0'))
      await new Promise(setImmediate);
    expect(requests).toBe(0);
  });

  it('does not affect the gateway after half a request', async () => {
    respond = (response) => void response.end(answered);
    const head = `POST ${new URL(world.url()).pathname} HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{`;
    const { hostname, port } = new URL(world.origin);

    const socket = connect(Number(port), hostname);
    await new Promise<void>((resolve) => socket.write(head, () => resolve()));
    socket.destroy();
    expect((await post(world.url(), call('eth_chainId'))).text).toBe(answered);
  });
});

it('is not confused by pipelined requests', async () => {
  respond = (response, count) => void response.end(`{"count":${count}}`);
  const body = JSON.stringify(call('eth_call'));
  const one = `POST ${new URL(world.url()).pathname} HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const text = await raw(world.origin, one.repeat(3), '{"count":3}');
  expect(text.match(/"count":\d/g)).toEqual(['"count":1', '"count":2', '"count":3']);
});
