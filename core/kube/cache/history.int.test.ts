import { compactEtcd, startApiserver, stopApiserver } from '../../../hack/testenv/control.ts';
import { startTestEnvironment, type TestEnvironment } from '../../../hack/testenv/environment.ts';
import { systemClock } from '../../lib/clock.ts';
import { silentLog } from '../../lib/log.ts';
import { createKube, type KubeClient } from '../client/client.ts';
import { type ConfigMap, configMapType } from '../types.ts';
import { type HistoryItem, readHistory } from './history.ts';

let environment: TestEnvironment;
let kube: KubeClient;
beforeAll(async () => {
  environment = await startTestEnvironment();
  kube = createKube({ log: silentLog, clock: systemClock, kubeconfigPath: environment.kubeconfig });
});
afterAll(async () => {
  await kube?.close();
  await environment?.stop();
});

const create = (name: string) =>
  kube.create(configMapType, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'default', labels: { suite: 'history' } },
  });

/** What history says from a version on, until it has said `last`. */
async function read(resourceVersion: string, last: string): Promise<string[]> {
  const stop = new AbortController();
  const said: string[] = [];
  const items = readHistory<ConfigMap>({
    kube,
    type: configMapType,
    labelSelector: 'suite=history',
    pageSize: 2,
    resourceVersion,
    signal: stop.signal,
  });
  for await (const item of items) {
    said.push(...describeItem(item));
    if (said.includes(last)) stop.abort();
  }
  return said;
}

function describeItem(item: HistoryItem<ConfigMap>): string[] {
  if (item.type === 'BOOKMARK') return [];
  if (item.type === 'LISTED') return [`LISTED ${item.items.map(({ metadata }) => metadata.name)}`];
  return [`${item.type} ${item.object.metadata.name}`];
}

it('history is what there was at a version, and every change since, also of what is gone', async () => {
  for (const name of ['a', 'b', 'c']) await create(name);
  const { resourceVersion } = await kube.list(configMapType);
  await create('short');
  await kube.delete(configMapType, { namespace: 'default', name: 'short' });
  await kube.patch(configMapType, { namespace: 'default', name: 'a' }, { data: { x: '1' } });
  await kube.delete(configMapType, { namespace: 'default', name: 'b' });
  await create('end');
  expect(await read(resourceVersion, 'ADDED end')).toEqual([
    'LISTED a,b,c',
    ...['ADDED short', 'DELETED short', 'MODIFIED a', 'DELETED b', 'ADDED end'],
  ]);
});

it('history that is compacted is a Conflict, not an empty past', async () => {
  const { resourceVersion: before } = await kube.list(configMapType);
  await create('later');
  const { resourceVersion: now } = await kube.list(configMapType);
  await compactEtcd(environment.stateFile, now);
  // A new process remembers nothing itself.
  await stopApiserver(environment.stateFile, 0);
  await startApiserver(environment.stateFile);
  await expect(read(before, 'never')).rejects.toMatchObject({ reason: 'Conflict' });
});
