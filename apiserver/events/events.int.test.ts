import type { NetworkStatus } from '../../core/api/resources/networkStatus.ts';
import { networkType } from '../../core/api/resources/resources.ts';
import { aNetwork } from '../../core/api/testing/builders.ts';
import { createKube, type KubeClient } from '../../core/kube/client/client.ts';
import { namespaceType } from '../../core/kube/types.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { silentLog } from '../../core/lib/log.ts';
import { compactEtcd, startApiserver, stopApiserver } from '../../hack/testenv/control.ts';
import { startTestEnvironment, type TestEnvironment } from '../../hack/testenv/environment.ts';
import { crdFiles } from '../../hack/testenv/globalSetup.ts';
import { startTestApi, type TestApi, type TestUser } from '../testing/harness.ts';
import { type EventClient, openEvents, type Received } from './testing/client.ts';

const namespace = 'ws-one';
const users: TestUser[] = [{ userId: 'ann', workspaceId: 'one', namespace }];

// Its own servers, because one test makes them forget.
let environment: TestEnvironment;
let kube: KubeClient;
const apis = new Set<TestApi>();
beforeAll(async () => {
  environment = await startTestEnvironment({ crdFiles: crdFiles() });
  kube = createKube({ log: silentLog, clock: systemClock, kubeconfigPath: environment.kubeconfig });
  await kube.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
});
afterEach(async () => {
  await Promise.all([...apis].map((api) => kill(api)));
});
afterAll(async () => {
  await kube?.close();
  await environment?.stop();
});

async function startReplica(): Promise<TestApi> {
  const api = await startTestApi({ kube, users });
  apis.add(api);
  return api;
}

async function kill(api: TestApi): Promise<void> {
  apis.delete(api);
  await api.close();
}

const setStatus = (name: string, status: NetworkStatus) =>
  kube.patch(networkType, { namespace, name }, { status }, 'status');

/** What status says of a network over its life, each once. */
const lifeOf: NetworkStatus[] = [
  { state: 'Pending', message: 'one' },
  { state: 'Pending', message: 'two' },
  { state: 'Operational', message: 'three' },
  { state: 'Stopping', message: 'four' },
  { state: 'Stopped', message: 'five' },
];

async function live(name: string): Promise<void> {
  await kube.create(networkType, aNetwork({ name, namespace }));
  for (const status of lifeOf) await setStatus(name, status);
  await kube.delete(networkType, { namespace, name });
}
const lifeEvents = [
  ...['network.created', 'network.status', 'network.status'],
  ...['network.operational', 'network.stopping', 'network.stopped', 'network.deleted'],
];

const typesOf = (events: readonly Received[], name: string) =>
  events.filter(({ object }) => object?.name === name).map(({ type }) => type);

it('replicas that are killed and replaced all the time: a client that resumes sees every state once, in order', async () => {
  let replicas = [await startReplica(), await startReplica()];
  const received: Received[] = [];
  let lastEventId: string | undefined;
  let isOver = false;
  let cuts = 0;
  let client: EventClient | undefined;
  const hasBegun = Promise.withResolvers<void>();

  /** Goes on at the next replica each time its stream is cut. */
  async function follow(): Promise<void> {
    for (let turn = 0; !isOver; turn += 1) {
      const api = replicas[turn % replicas.length];
      if (!api) continue;
      client = await openEvents(api.url, { lastEventId, query: '?types=network.*' }).catch(() => undefined);
      void client?.saw('stream.ready').then(() => hasBegun.resolve());
      await client?.ended;
      cuts += 1;
      received.push(...(client?.events ?? []));
      lastEventId = client?.lastEventId() ?? lastEventId;
    }
  }

  /** Replaces each replica in turn, so that there are some that began before and some after any event. */
  async function replace(): Promise<void> {
    while (!isOver) {
      const [oldest, ...others] = replicas;
      replicas = [...others, await startReplica()];
      if (oldest) await kill(oldest);
    }
  }

  const following = follow();
  await hasBegun.promise;
  const replacing = replace();
  const names = Array.from({ length: 25 }, (_, index) => `kills-${index}`);
  for (const name of names) await live(name);
  isOver = true;
  await replacing;
  client?.close();
  await following;
  const [api] = replicas;
  const last = await openEvents(api?.url ?? '', { lastEventId, query: '?types=network.*' });
  await kube.create(networkType, aNetwork({ name: 'end', namespace }));
  await last.saw('network.created', ({ object }) => object.name === 'end');
  received.push(...last.events);
  last.close();
  await kube.delete(networkType, { namespace, name: 'end' });
  expect(cuts).toBeGreaterThan(3);
  expect(received.filter(({ type }) => type === 'stream.reset')).toEqual([]);
  for (const name of names) expect([name, typesOf(received, name)]).toEqual([name, lifeEvents]);
});

it('a stream that resumes from before a compaction begins again', async () => {
  const old = await startReplica();
  const first = await openEvents(old.url);
  await first.saw('stream.ready');
  await kill(old);
  await live('forgotten');
  const { resourceVersion } = await kube.list(networkType);
  await kube.create(networkType, aNetwork({ name: 'known', namespace }));
  await compactEtcd(environment.stateFile, resourceVersion);
  // A new process remembers nothing itself.
  await stopApiserver(environment.stateFile, 0);
  await startApiserver(environment.stateFile);
  const late = await startReplica();
  const second = await openEvents(late.url, { lastEventId: first.lastEventId() });
  await second.saw('stream.ready');
  expect(second.types()).toEqual(['stream.reset', 'network.present', 'stream.ready']);
  second.close();
});
