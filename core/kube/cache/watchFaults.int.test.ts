import { randomBytes } from 'node:crypto';
import { testKubeconfig } from '../../../hack/testenv/testKube.ts';
import { createRawKube } from '../../api/testing/rawKube.ts';
import { type Clock, systemClock } from '../../lib/clock.ts';
import { silentLog } from '../../lib/log.ts';
import { eventLine, sendJson, startTestApi, status } from '../testing/api.ts';
import { createFaultyProxy, type FaultyProxy, serverOf } from '../testing/faultyProxy.ts';
import { openRawWatch, type RawEvent } from '../testing/rawWatch.ts';
import { configMapType } from '../types.ts';
import { createReflector } from './reflector.ts';

const kubeconfigPath = testKubeconfig();
const server = serverOf(kubeconfigPath);
const raw = createRawKube(kubeconfigPath);
afterAll(() => raw.close());

// Waits are fifty times as fast; deadlines and idle times are not.
const clock: Clock = { ...systemClock, sleep: (delayMs, signal) => systemClock.sleep(delayMs / 50, signal) };
const refuse =
  (code: number, reason: string) =>
  (proxy: FaultyProxy): void => {
    proxy.answer(2, (response) => sendJson(response, code, status(code, reason)));
    proxy.cut();
  };

/** What happens to the watch, the reason of the restart, and whether the server requires a new list. */
const faults: [string, string, (proxy: FaultyProxy) => void, { isRelisted?: boolean }][] = [
  ['the connection is cut', 'error', (proxy) => proxy.cut(), {}],
  ['it stalls in silence', 'idle', (proxy) => proxy.stall(), {}],
  ['a line is garbage', 'error', (proxy) => proxy.say('<html>garbage</html>\n'), {}],
  ['401, twice', 'error', refuse(401, 'Unauthorized'), {}],
  ['429, twice', 'throttled', refuse(429, 'TooManyRequests'), {}],
  ['500, twice', 'error', refuse(500, 'InternalError'), {}],
  ['410 as the answer', 'gone', refuse(410, 'Expired'), { isRelisted: true }],
  [
    '410 as an event',
    'gone',
    (proxy) => proxy.say(eventLine('ERROR', status(410, 'Expired'))),
    { isRelisted: true },
  ],
];

async function openNamespace() {
  const namespace = `faults-${randomBytes(4).toString('hex')}`;
  await raw.send('POST', '/api/v1/namespaces', { body: { metadata: { name: namespace } } });
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  const create = (name: string) => raw.send('POST', path, { body: { metadata: { name } } });
  return {
    namespace,
    path,
    create,
    /** Creates three objects, changes one and deletes one. */
    async change(round: number) {
      for (const name of ['kept', 'changed', 'removed']) await create(`${name}-${round}`);
      await raw.send('PATCH', `${path}/changed-${round}`, { body: { data: { round: `${round}` } } });
      await raw.send('DELETE', `${path}/removed-${round}`);
    },
    async versions() {
      const items = (await raw.send('GET', path)).body.items as RawEvent['object'][];
      return versionsOf(items);
    },
  };
}

interface Versioned {
  metadata: { name: string; uid?: string; resourceVersion?: string };
}

function versionsOf(items: Versioned[]): string[] {
  return items.map(({ metadata }) => `${metadata.name} ${metadata.uid} ${metadata.resourceVersion}`).sort();
}

/** The uids of the objects that an independent watcher saw; only of those that still exist when `isRelisted`. */
function uidsOf(events: RawEvent[], isRelisted = false): Set<string> {
  const uids = new Set(events.map(({ object }) => object.metadata.uid));
  const removed = events.filter(({ type }) => type === 'DELETED');
  // Objects that were created and deleted before a new list cannot be observed.
  if (isRelisted) for (const { object } of removed) uids.delete(object.metadata.uid);
  return uids;
}

it.each(faults)('the cache misses no change when %s', async (...row) => {
  const [, reason, inject, { isRelisted }] = row;
  const { namespace, path, create, change, versions } = await openNamespace();
  const watcher = await openRawWatch(server, path);
  const proxy = createFaultyProxy(server);
  const api = await startTestApi(proxy.handler);
  const restarts: string[] = [];
  const reflector = createReflector({
    kube: api.createKube(),
    type: configMapType,
    namespace,
    log: silentLog,
    clock,
    idleTimeoutMs: 500,
    kubeMetrics: { watchRestarts: (_kind, why) => void restarts.push(why) },
  });
  const seen = new Set<string>();
  reflector.onChange(({ object }) => seen.add(object.metadata.uid));
  reflector.start();
  await reflector.whenSynced();
  // Arrives by the watch, which is then open.
  await change(0);
  await reflector.waitFor(({ metadata }) => metadata.name === 'kept-0', { timeoutMs: 10_000 });
  inject(proxy);
  for (let round = 1; round < 10 || (round < 1_000 && !restarts.includes(reason)); round += 1)
    await change(round);
  expect(restarts).toContain(reason);
  await create('last');
  await reflector.waitFor(({ metadata }) => metadata.name === 'last', { timeoutMs: 60_000 });
  await watcher.saw('last');
  expect(versionsOf(reflector.list())).toEqual(await versions());
  expect([...uidsOf(watcher.events, isRelisted)].filter((uid) => !seen.has(uid))).toEqual([]);
  watcher.close();
  await reflector.stop();
  await api.close();
});
