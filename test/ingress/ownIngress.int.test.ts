import { once } from 'node:events';
import { Agent, createServer, type RequestListener, request, type Server } from 'node:http';
import { type AddressInfo, connect, createServer as createListener } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { eventually } from '../../apiserver/testing/eventually.ts';
import { ownAddress, serviceDomain } from './testing/backend.ts';
import { apply, applyChart } from './testing/cluster.ts';
import { describeWay, host } from './testing/conformance.ts';
import { startOwnIngress } from './testing/ownIngress.ts';
import type { Controller } from './testing/programs.ts';

describeWay("an Ingress of Slipway's own controller", {
  async start(backend) {
    const publicUrl = `http://${host}`;
    const ingress = { enabled: true, className: 'slipway', host };
    await applyChart('Ingress', { publicUrl, serviceDomain, ingress }, backend);
    return startOwnIngress();
  },
});

describe("behind Slipway's own ingress controller", () => {
  const namespace = 'behind-ingress';
  let controller: Controller;
  const servers: Server[] = [];
  beforeAll(async () => {
    await apply([{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }]);
    controller = await startOwnIngress();
  });
  afterAll(async () => {
    await controller.stop();
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });

  /** A replica; returns its port. */
  async function replica(answer: RequestListener): Promise<number> {
    const server = createServer(answer);
    server.listen(0, ownAddress());
    await once(server, 'listening');
    servers.push(server);
    return (server.address() as AddressInfo).port;
  }

  /** A port at which nothing accepts connections any more. */
  async function refusing(): Promise<number> {
    const listener = createListener();
    listener.listen(0, ownAddress());
    await once(listener, 'listening');
    const { port } = listener.address() as AddressInfo;
    listener.close();
    return port;
  }

  /** An Ingress of a host that is named like its Service, with a replica at each port. */
  async function expose(name: string, ports: readonly number[], path = { path: '/', pathType: 'Prefix' }) {
    const backend = { service: { name, port: { number: 80 } } };
    await apply([
      {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name, namespace },
        spec: { ports: [{ name: 'http', port: 80 }] },
      },
      ...ports.map((port, index) => ({
        apiVersion: 'discovery.k8s.io/v1',
        kind: 'EndpointSlice',
        addressType: 'IPv4',
        metadata: {
          name: `${name}-${index}`,
          namespace,
          labels: { 'kubernetes.io/service-name': name },
        },
        ports: [{ name: 'http', port }],
        endpoints: [{ addresses: [ownAddress()], conditions: { ready: true } }],
      })),
      {
        apiVersion: 'networking.k8s.io/v1',
        kind: 'Ingress',
        metadata: { name, namespace },
        spec: {
          ingressClassName: 'slipway',
          rules: [{ host: `${name}.localhost`, http: { paths: [{ ...path, backend }] } }],
        },
      },
    ]);
  }

  async function post(name: string, path = '/', agent: Agent | false = false) {
    const sent = request({
      host: '127.0.0.1',
      port: controller.port,
      path,
      method: 'POST',
      agent,
      headers: { Host: `${name}.localhost`, 'X-Request-ID': 'mine' },
    });
    sent.end('a body');
    const [answer] = await once(sent, 'response');
    return { status: answer.statusCode, headers: answer.headers, text: (await buffer(answer)).toString() };
  }
  const posted = (name: string, status: number) =>
    eventually(
      () => post(name),
      (answer) => answer.status === status,
    );

  it('a request with a body goes to another replica where one does not accept connections', async () => {
    const echo = await replica((received, response) => void received.pipe(response));
    await expose('echo', [await refusing(), echo, await refusing()]);
    await posted('echo', 200);
    for (let count = 0; count < 12; count += 1) {
      expect(await post('echo')).toMatchObject({ status: 200, text: 'a body' });
    }
  });

  it('sends the requests of one connection to one replica, and those of several to all', async () => {
    const answering = (text: string) => replica((_request, response) => void response.end(text));
    await expose('pair', [await answering('first'), await answering('second')]);
    await posted('pair', 200);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const texts = async (one: Agent | false) => {
      const seen = new Set<string>();
      for (let count = 0; count < 8; count += 1) seen.add((await post('pair', '/', one)).text);
      return [...seen].sort();
    };
    expect(await texts(agent)).toHaveLength(1);
    expect(await texts(false)).toEqual(['first', 'second']);
    agent.destroy();
  });

  it('holds back a caller with many unanswered requests, and nobody else', async () => {
    const received: string[] = [];
    const held: (() => void)[] = [];
    let isHolding = true;
    const port = await replica(({ headers }, response) => {
      received.push(String(headers.authorization));
      if (isHolding && headers.authorization === 'flood') held.push(() => response.end());
      else response.end();
    });
    await expose('turns', [port]);
    await posted('turns', 200);
    const send = (Authorization: string) => {
      const headers = { Host: 'turns.localhost', Authorization };
      const sent = request({ host: '127.0.0.1', port: controller.port, headers, agent: false });
      sent.end();
      return once(sent, 'response');
    };
    const flood = Array.from({ length: 1000 }, () => send('flood'));
    // More than sixteen: a replica that works on a request for long makes room for the next one.
    await eventually(
      async () => held.length,
      (count) => count > 16,
    );
    await send('calm');
    isHolding = false;
    for (const answer of held) answer();
    await Promise.all(flood);
    expect(received.filter((who) => who === 'flood')).toHaveLength(1000);
    expect(received.indexOf('calm')).toBeLessThan(1000);
  });

  it('sends every second connection to all replicas, too', async () => {
    const answering = (text: string) => replica((_request, response) => void response.end(text));
    await expose('every-second', [await answering('first'), await answering('second')]);
    await posted('every-second', 200);
    const seen = new Set<string>();
    for (let count = 0; count < 8; count += 1) {
      seen.add((await post('every-second')).text);
      await post('every-second');
    }
    expect([...seen].sort()).toEqual(['first', 'second']);
  });

  it('passes on the rest of a request whose answer has begun', async () => {
    const early = await replica((received, response) => {
      response.write('begun: ');
      received.pipe(response);
    });
    await expose('early', [early]);
    await posted('early', 200);
    const agent = new Agent({ keepAlive: true });
    const sent = request({
      host: '127.0.0.1',
      port: controller.port,
      method: 'POST',
      agent,
      headers: { Host: 'early.localhost', 'Content-Length': 6 },
    });
    sent.write('a');
    const [answer] = await once(sent, 'response');
    sent.end(' body');
    expect((await buffer(answer)).toString()).toBe('begun: a body');
    agent.destroy();
  });

  it('a connection whose request was answered before its body came serves the next request', async () => {
    const early = await replica((received, response) => {
      const text = received.method ?? '';
      response.writeHead(text === 'POST' ? 401 : 200, { 'Content-Length': text.length });
      response.end(text);
    });
    await expose('before', [early]);
    await posted('before', 401);
    const socket = connect(controller.port, '127.0.0.1');
    let text = '';
    socket.on('data', (part) => {
      text += part.toString();
    });
    socket.on('close', () => {
      text += ' (closed)';
    });
    const head = 'Host: before.localhost\r\n';
    const answerTo = (sent: string) => {
      text = '';
      socket.write(sent);
      return eventually(
        async () => text,
        (all) => /(POST|GET|closed\))$/.test(all),
      );
    };
    for (let round = 0; round < 20; round += 1) {
      expect(await answerTo(`POST / HTTP/1.1\r\n${head}Content-Length: 6\r\n\r\na`)).toMatch(/POST$/);
      expect(await answerTo(` bodyGET / HTTP/1.1\r\n${head}\r\n`)).toMatch(/GET$/);
    }
    socket.destroy();
  });

  it.each([
    ['no replica accepts connections', 'dead', 'no replica of the service accepts', refusing],
    [
      'a replica dies before it answers',
      'dying',
      'may have been processed',
      () => replica(({ socket }) => void socket.destroy()),
    ],
  ])('is an Error object when %s', async (_reason, name, message, start) => {
    await expose(name, [await start()]);
    const isExpected = ({ text }: { text: string }) => text.includes(message);
    const { status, headers, text } = await eventually(() => post(name), isExpected);
    expect([status, headers['retry-after']]).toEqual([503, '1']);
    expect(JSON.parse(text)).toEqual({
      kind: 'Error',
      reason: 'Unavailable',
      message: expect.any(String),
      requestId: 'mine',
    });
  });

  it('is an Error object while a Service has no replica, and serves the first one that becomes ready', async () => {
    await expose('late', []);
    expect(JSON.parse((await posted('late', 503)).text).reason).toBe('Unavailable');
    await expose('late', [await replica((_request, response) => void response.end('here'))]);
    expect((await posted('late', 200)).text).toBe('here');
  });

  it('passes errors of a replica as they are', async () => {
    const port = await replica((_request, response) => void response.writeHead(503).end('its own'));
    await expose('refusal', [port]);
    await eventually(
      () => post('refusal'),
      ({ text }) => text === 'its own',
    );
  });

  it('passes a path and a query as they are, however unusual', async () => {
    const port = await replica(({ url }, response) => void response.end(url));
    await expose('echo-path', [port]);
    await posted('echo-path', 200);
    const unusual = '/a%2Fb//c/../d?x=1;y=%zz&&';
    expect((await post('echo-path', unusual)).text).toBe(unusual);
  });

  it('serves what is below a path, and nothing beside it', async () => {
    const port = await replica((_request, response) => void response.end('below'));
    await expose('paths', [port], { path: '/api', pathType: 'Prefix' });
    await eventually(
      () => post('paths', '/api/x'),
      ({ status }) => status === 200,
    );
    expect((await post('paths', '/api')).status).toBe(200);
    expect((await post('paths', '/apis')).status).toBe(404);
  });

  it('carries what a replica sends with its 101, and what is sent later in both directions', async () => {
    const port = await replica(() => undefined);
    servers.at(-1)?.on('upgrade', (_request, socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\nhello\n');
      socket.pipe(socket);
    });
    await expose('upgrade', [await refusing(), port]);
    const received = async () => {
      const socket = connect(controller.port, '127.0.0.1');
      socket.write(
        'GET / HTTP/1.1\r\nHost: upgrade.localhost\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n',
      );
      let text = '';
      for await (const chunk of socket) {
        text += chunk;
        if (!text.startsWith('HTTP/1.1 101') || text.includes('later')) break;
        if (text.includes('hello\n')) socket.write('later');
      }
      return text;
    };
    expect(await eventually(received, (text) => text.startsWith('HTTP/1.1 101'))).toMatch(/hello\nlater$/);
  });
});
