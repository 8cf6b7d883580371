import { releaseNamespace } from '../../hack/up/names.ts';
import { allPodsOf, isReady } from '../lib/components.ts';
import { followEvents } from '../lib/events.ts';
import { createHotKey, createNetwork, remove } from '../lib/networks.ts';
import { killPod } from '../lib/processes.ts';
import { call, until } from '../lib/service.ts';

const killsForMs = 60_000;

async function killReplica(): Promise<void> {
  const pods = await allPodsOf('apiserver');
  // One at a time: Kubernetes starts what died often later and later, and a service without replicas is another fault.
  const ready = pods.length > 1 && pods.every(isReady) ? pods[Date.now() % pods.length] : undefined;
  // Its status may be older than its end.
  if (ready) await killPod(releaseNamespace, ready.metadata.name).catch(() => undefined);
}

it('API servers that are killed again and again: a client that resumes sees every state once, in order', async () => {
  const key = await createHotKey();
  const stream = followEvents('types=network.*');
  await stream.saw('stream.ready');
  const begin = stream.connections();
  const endMs = Date.now() + killsForMs;
  let isOver = false;
  const ids: string[] = [];

  async function kill(): Promise<void> {
    while (!isOver) {
      await killReplica();
      await until(
        'a replica to answer',
        () => call('GET', '/v1alpha/networks?limit=1').catch(() => undefined),
        (answer) => answer?.status === 200,
      );
    }
  }

  const killing = kill();
  while (Date.now() < endMs) {
    const created = await createNetwork({ privateKeyRef: { name: key.name } }).catch(() => undefined);
    if (created?.status !== 201) continue;
    const { id } = created.body;
    ids.push(id);
    await stream.saw('network.operational', ({ object }) => object.id === id);
    await until(
      'the network to be deleted',
      () =>
        remove(id)
          .then(() => true)
          .catch(() => false),
      Boolean,
    );
    await stream.saw('network.deleted', ({ object }) => object.id === id);
  }
  isOver = true;
  await killing;
  await stream.stop();
  expect(ids.length).toBeGreaterThan(0);
  expect(stream.connections()).toBeGreaterThan(begin);
  expect(stream.events.filter(({ type }) => type === 'stream.reset')).toEqual([]);
  const eventIds = stream.events.map(({ id }) => id);
  expect(new Set(eventIds).size).toBe(eventIds.length);
  for (const id of ids) {
    const types = stream.events.filter(({ object }) => object?.id === id).map(({ type }) => type);
    const states = types.filter((type) => type !== 'network.step' && type !== 'network.status');
    expect([id, states]).toEqual([id, ['network.created', 'network.operational', 'network.deleted']]);
  }
});
