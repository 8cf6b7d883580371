import { randomBytes } from 'node:crypto';
import { type IncomingMessage, request } from 'node:http';
import { type EventClient, openEvents } from '../../../apiserver/events/testing/client.ts';
import { openSocket, type SocketClient } from '../../../apiserver/gateway/testing/socketFixtures.ts';
import { eventually } from '../../../apiserver/testing/eventually.ts';
import { credentialsOf } from '../../../apiserver/testing/harness.ts';
import { type Backend, greetings, maxBodyBytes, serviceDomain, startBackend } from './backend.ts';
import type { Controller } from './programs.ts';

export const host = 'slipway.localhost';
const ann = { ...credentialsOf('ann'), Host: host };

export interface Way {
  /** Sends requests for the host to `backend`, with the objects that the chart renders. */
  start(backend: Backend): Promise<Controller>;
  /** Why requests for any other host come through as well. */
  anyHostBecause?: string;
}

interface Answer {
  status: number;
  headers: IncomingMessage['headers'];
  text: string;
}

interface Question {
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

function send(port: number, { path, headers = ann, body }: Question): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const type =
    body === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': String(body.length) };
  const method = body === undefined ? 'GET' : 'POST';
  const sent = request({
    host: '127.0.0.1',
    port,
    path,
    method,
    agent: false,
    headers: { ...headers, ...type },
  });
  sent.on('error', reject);
  sent.on('response', (answer) => {
    const chunks: Buffer[] = [];
    answer.on('data', (chunk) => chunks.push(chunk));
    answer.on('error', reject);
    answer.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text });
    });
  });
  sent.end(body);
  return promise;
}

/** A JSON-RPC call whose body has exactly this size. */
function callOf(bytes: number): string {
  const call = (data: string) => ({
    jsonrpc: '2.0',
    id: 1,
    method: 'eth_sendRawTransaction',
    params: [data],
  });
  const empty = JSON.stringify(call('')).length;
  return JSON.stringify(call(`0x${'a'.repeat(bytes - empty - 2)}`));
}

/** What every way from a user to the API server must let through. */
export function describeWay(name: string, { start, anyHostBecause }: Way): void {
  describe(name, () => {
    let backend: Backend;
    let controller: Controller;
    let streams: EventClient[];
    let sockets: SocketClient[];
    beforeAll(async () => {
      backend = await startBackend();
      controller = await start(backend);
      const ask = () =>
        send(controller.port, { path: '/v1alpha/networks' }).then(
          ({ status }) => status,
          () => 0,
        );
      await eventually(ask, (status) => status === 200).catch((error) => {
        throw new Error(`${error}\n${controller.output().slice(-4000)}`);
      });
    });
    afterAll(async () => {
      await controller?.stop();
      await backend?.close();
    });
    beforeEach(() => {
      [streams, sockets] = [[], []];
    });
    afterEach(() => {
      for (const stream of streams) stream.close();
      for (const { socket } of sockets) socket.terminate();
    });

    async function follow(): Promise<EventClient> {
      const stream = await openEvents(`http://127.0.0.1:${controller.port}`, { headers: ann });
      streams.push(stream);
      await stream.saw('stream.ready');
      return stream;
    }

    async function open(): Promise<SocketClient> {
      const url = `http://127.0.0.1:${controller.port}${backend.pathOf('ws')}`;
      const client = await openSocket(url, { Host: host });
      sockets.push(client);
      return client;
    }

    it('passes on REST with the host and the address of the caller, and answers as they are', async () => {
      const { status, headers, text } = await send(controller.port, { path: '/v1alpha/networks/absent' });
      expect([status, JSON.parse(text).kind]).toEqual([404, 'Error']);
      expect(headers['x-request-id']).toBe(JSON.parse(text).requestId);
      expect(backend.seen.at(-1)?.host).toBe(host);
      expect(backend.seen.at(-1)?.['x-forwarded-for']).toMatch(/127\.0\.0\.1$/);
    });

    it('gives callers no say in the address that they call from', async () => {
      await send(controller.port, {
        path: '/v1alpha/networks',
        headers: { ...ann, 'X-Forwarded-For': '192.0.2.9' },
      });
      expect(backend.seen.at(-1)?.['x-forwarded-for']?.toString().split(', ').at(-1)).toBe('127.0.0.1');
    });

    it('hands over each event of a stream before the next one happens', async () => {
      const stream = await follow();
      for (const network of ['first', 'second', 'third']) {
        await backend.createNetwork(`${network}-${randomBytes(4).toString('hex')}`);
        await stream.saw('network.created', ({ object }) => object?.name.startsWith(network));
      }
    });

    it('ends a stream at the server when its client leaves', async () => {
      const stream = await follow();
      const openStreams = async () => /^slipway_event_streams (\d+)$/m.exec(await backend.api.scrape())?.[1];
      // The one of the test before may end a moment later.
      await eventually(openStreams, (count) => count === '1');
      stream.close();
      await eventually(openStreams, (count) => count === '0');
    });

    it('ends a stream at the client when the server drains', async () => {
      const stream = await follow();
      backend.api.endStreams();
      await stream.ended;
    });

    it('carries what a WebSocket is sent at once, and large messages both ways, whole and in order', async () => {
      const client = await open();
      for (let id = 0; id < greetings; id += 1) expect((await client.next()).id).toBe(id);
      const sent = Array.from({ length: 8 }, () => `0x${randomBytes(256 * 1024).toString('hex')}`);
      for (const [id, data] of sent.entries()) {
        const params = [{ data }, 'latest'];
        client.socket.send(JSON.stringify({ jsonrpc: '2.0', id, method: 'eth_call', params }));
      }
      for (const data of sent) expect((await client.next()).result).toBe(data);
    });

    it('carries the code with which the server closes a WebSocket', async () => {
      const client = await open();
      backend.world.setNetwork({ state: 'Stopped' });
      expect(await client.closed).toMatchObject({ code: 1001, reason: expect.stringContaining('stopped') });
      backend.world.setNetwork({ state: 'Operational' });
    });

    it('lets a body of nine megabytes through', async () => {
      const body = callOf(9 * 1024 * 1024);
      const { status, text } = await send(controller.port, { path: backend.pathOf('rpc'), body });
      expect([status, Number(JSON.parse(text).result)]).toEqual([200, body.length]);
    });

    it('leaves it to the service to refuse a body that is too large', async () => {
      const body = callOf(maxBodyBytes + 1);
      const { status, text } = await send(controller.port, { path: backend.pathOf('rpc'), body });
      expect(status).toBe(413);
      expect(JSON.parse(text)).toMatchObject({
        kind: 'Error',
        message: expect.stringContaining(`${maxBodyBytes}`),
      });
    });

    const ask = (Host: string) => send(controller.port, { path: '/', headers: { Host } });

    it('sends the host names of services to the gateway', async () => {
      const { status, text } = await ask(`dfns-none.${serviceDomain}`);
      expect(status).toBe(404);
      expect(JSON.parse(text)).toMatchObject({ kind: 'Error', reason: 'NotFound' });
      expect(backend.seen.at(-1)?.host).not.toContain(serviceDomain);
    });

    const itIfNamed = anyHostBecause ? it.skip : it;
    itIfNamed(
      `sends other hosts nowhere${anyHostBecause ? ` (skipped: ${anyHostBecause})` : ''}`,
      async () => {
        const before = backend.seen.length;
        expect((await ask('other.localhost')).status).toBe(404);
        expect(backend.seen).toHaveLength(before);
      },
    );
  });
}
