import type { ServerResponse } from 'node:http';
import { type Clock, systemClock } from '../../lib/clock.ts';
import { compact } from '../../lib/compact.ts';
import { silentLog } from '../../lib/log.ts';
import {
  configMapAt,
  eventLine,
  listOf,
  sendJson,
  startTestApi,
  status,
  type TestApi,
} from '../testing/api.ts';
import { type ConfigMap, configMapType } from '../types.ts';
import { createReflector, type Reflector } from './reflector.ts';

type Misbehaviour = (response: ServerResponse) => void;

const before = configMapAt(10, 'before');
const after = configMapAt(20, 'after');
const error = (code: number, reason: string) => (response: ServerResponse) =>
  sendJson(response, code, status(code, reason));
const stream =
  (...chunks: (string | Buffer)[]) =>
  (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    for (const chunk of chunks) response.write(chunk);
  };
const added = eventLine('ADDED', configMapAt(11, 'seen'));

// Waits are fifty times as fast; deadlines and idle times are not.
const clock: Clock = { ...systemClock, sleep: (delayMs, signal) => systemClock.sleep(delayMs / 50, signal) };

interface Deadlines {
  requestTimeoutMs?: number;
  idleTimeoutMs?: number;
}

/**
 * The fault, the reason of the restart, what the server does to the first two watches, and the deadline that finds it out.
 * The deadlines of all others are long: a busy machine would exceed short ones, which is another fault.
 */
const cases: [string, string, Misbehaviour, Deadlines?][] = [
  ['a connection that is cut before the response', 'error', (response) => response.socket?.destroy()],
  [
    'a connection that is cut within an event',
    'error',
    (response) => {
      stream(added, '{"type":"ADDED","obj')(response);
      setImmediate(() => response.socket?.destroy());
    },
  ],
  ['an end without an event', 'ended', (response) => response.writeHead(200).end()],
  ['a silent stall after an event', 'idle', stream(added), { idleTimeoutMs: 300 }],
  ['a silent stall before the response', 'error', () => undefined, { requestTimeoutMs: 200 }],
  ['410 as the answer', 'gone', error(410, 'Expired')],
  ['410 as an event', 'gone', stream(added, eventLine('ERROR', status(410, 'Expired')))],
  ['500 as an event', 'error', stream(eventLine('ERROR', status(500, 'InternalError')))],
  ['a line of garbage', 'error', stream(added, '<html>garbage</html>\n')],
  ['an event without an object', 'error', stream('{"type":"ADDED"}\n')],
  ['an event of an unknown type', 'error', stream(eventLine('DISMISSED', configMapAt(12, 'odd')))],
  ['401, twice', 'error', error(401, 'Unauthorized')],
  ['429', 'throttled', error(429, 'TooManyRequests')],
  ['500', 'error', error(500, 'InternalError')],
  ["a proxy's page", 'error', (response) => response.writeHead(502).end('<html>Bad gateway</html>')],
];

describe('a reflector catches up after', () => {
  let api: TestApi;
  let reflector: Reflector<ConfigMap>;
  afterEach(async () => {
    await reflector.stop();
    await api.close();
  });

  it.each(cases)('%s', async (_name, reason, misbehave, { requestTimeoutMs, idleTimeoutMs } = {}) => {
    let watches = 0;
    api = await startTestApi((request, response) => {
      if (!request.url?.includes('watch=true')) {
        return sendJson(response, 200, watches > 0 ? listOf(20, [before, after]) : listOf(10, [before]));
      }
      watches += 1;
      return watches <= 2 ? misbehave(response) : stream(eventLine('ADDED', after))(response);
    });
    const restarts: string[] = [];
    const kube = api.createKube(compact({ requestTimeoutMs }));
    const kubeMetrics = {
      watchRestarts: (kind: string, why: string) => void restarts.push(`${kind} ${why}`),
    };
    reflector = createReflector({
      kube,
      type: configMapType,
      log: silentLog,
      clock,
      kubeMetrics,
      ...compact({ idleTimeoutMs }),
    });
    reflector.start();
    const found = await reflector.waitFor(({ metadata }) => metadata.name === 'after', { timeoutMs: 10_000 });
    expect(found?.data).toEqual(after.data);
    expect(reflector.get({ namespace: 'default', name: 'before' })?.data).toEqual(before.data);
    expect(restarts[0]).toBe(`ConfigMap ${reason}`);
  });

  it('a first list that fails', async () => {
    let lists = 0;
    api = await startTestApi((request, response) => {
      if (request.url?.includes('watch=true')) return stream()(response);
      lists += 1;
      return lists === 1 ? response.socket?.destroy() : sendJson(response, 200, listOf(20, [after]));
    });
    const kube = api.createKube();
    reflector = createReflector({
      kube,
      type: configMapType,
      log: silentLog,
      clock,
      random: () => 0,
    });
    reflector.start();
    await reflector.whenSynced();
    expect(reflector.list()).toHaveLength(1);
  });

  it('events that arrive in pieces, with multi-byte characters split', async () => {
    const object = { ...configMapAt(21, 'pieces'), data: { text: 'Grüße, 世界, 🚢' } };
    const bytes = Buffer.from(
      `\n${eventLine('ADDED', object)}\n${eventLine('ADDED', configMapAt(22, 'next'))}`,
    );
    api = await startTestApi(async (request, response) => {
      if (!request.url?.includes('watch=true')) return sendJson(response, 200, listOf(20, []));
      response.writeHead(200);
      for (const byte of bytes) await new Promise((resolve) => response.write(Buffer.of(byte), resolve));
    });
    const kube = api.createKube();
    reflector = createReflector({ kube, type: configMapType, log: silentLog, clock });
    reflector.start();
    await reflector.waitFor(({ metadata }) => metadata.name === 'next', { timeoutMs: 10_000 });
    expect(reflector.get({ namespace: 'default', name: 'pieces' })?.data).toEqual(object.data);
  });

  it('keeps watching from the version of a bookmark', async () => {
    const bookmark = { metadata: { resourceVersion: '33' } };
    const resumed = Promise.withResolvers<string | null>();
    let watches = 0;
    api = await startTestApi((request, response) => {
      if (!request.url?.includes('watch=true')) return sendJson(response, 200, listOf(20, []));
      watches += 1;
      if (watches > 1)
        resumed.resolve(new URL(request.url, 'http://api').searchParams.get('resourceVersion'));
      stream(eventLine('BOOKMARK', bookmark))(response);
      return watches === 1 ? response.end() : undefined;
    });
    const kube = api.createKube();
    reflector = createReflector({
      kube,
      type: configMapType,
      log: silentLog,
      clock,
      random: () => 0,
    });
    reflector.start();
    expect(await resumed.promise).toBe('33');
    expect(api.requests[1]?.url.searchParams.get('allowWatchBookmarks')).toBe('true');
  });
});
