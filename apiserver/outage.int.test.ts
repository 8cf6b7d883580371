import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createKube, type KubeClient } from '../core/kube/client/client.ts';
import { namespaceType } from '../core/kube/types.ts';
import { systemClock } from '../core/lib/clock.ts';
import { silentLog } from '../core/lib/log.ts';
import { pauseApiserver, resumeApiserver, startApiserver, stopApiserver } from '../hack/testenv/control.ts';
import { startTestEnvironment, type TestEnvironment } from '../hack/testenv/environment.ts';
import { eventually } from './testing/eventually.ts';
import { type Answer, startTestApi, type TestApi } from './testing/harness.ts';

const namespace = 'outage';
const users = [{ userId: 'ann', workspaceId: 'one', namespace }] as const;
const spec = { chain: { type: 'Ethereum', ethereum: { privateKeyRef: { name: 'hot-key' } } } };
const unknownPath = '/v1alpha/networks/00000000-0000-4000-8000-000000000000';

let environment: TestEnvironment;
let kube: KubeClient;
let api: TestApi;
beforeAll(async () => {
  const folder = join(import.meta.dirname, '..', 'crds');
  const crdFiles = readdirSync(folder).map((name) => join(folder, name));
  environment = await startTestEnvironment({ crdFiles });
  kube = createKube({ kubeconfigPath: environment.kubeconfig, log: silentLog, clock: systemClock });
  await kube.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  api = await startTestApi({ kube, users });
});
afterAll(async () => {
  await api?.close();
  await kube?.close();
  await environment?.stop();
});

const create = (name: string) => api.request('/v1alpha/networks', { body: { name, spec } });

function expectUnavailable({ status, headers, json }: Answer): void {
  expect(status).toBe(503);
  expect(json).toMatchObject({ kind: 'Error', reason: 'Unavailable' });
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
}

it.each([
  ['stopped', (file: string) => stopApiserver(file), (file: string) => startApiserver(file)],
  ['frozen', (file: string) => pauseApiserver(file), (file: string) => resumeApiserver(file)],
])(
  'while kube-apiserver is %s, reads are answered and writes are 503; afterwards everything works again',
  async (how, down, up) => {
    const { status, json } = await create(`before-${how}`);
    expect(status).toBe(201);
    const path = `/v1alpha/networks/${json.id}`;
    await down(environment.stateFile);
    try {
      expect((await api.request(path)).status).toBe(200);
      expect((await api.request(`${path}/endpoints`)).status).toBe(200);
      const { items } = (await api.request('/v1alpha/networks')).json;
      expect(items.map(({ name }: { name: string }) => name)).toContain(`before-${how}`);
      const [health, ...others] = await Promise.all([
        api.request('/transaction/v1alpha1/transaction/health'),
        create(`meanwhile-${how}`),
        api.request(path, { method: 'PUT', body: { spec } }),
        api.request(path, { method: 'DELETE' }),
        api.request('/v1alpha/secrets', { body: { name: `s-${how}`, type: 't', data: 'YQ==' } }),
        api.request(unknownPath),
      ]);
      for (const answer of others) expectUnavailable(answer);
      expect(health?.json).toMatchObject({ status: 'degraded', checks: { store: 'not reached' } });
    } finally {
      await up(environment.stateFile);
    }
    const isAnswered = (answer: Answer) => answer.status !== 503;
    expect((await eventually(() => create(`after-${how}`), isAnswered)).status).toBe(201);
    // An interrupted write may have taken effect: the caller got an error that leaves this open.
    const gone = await eventually(() => api.request(path, { method: 'DELETE' }), isAnswered);
    expect([200, 404]).toContain(gone.status);
  },
);

it('a stop under load causes no 500 answer and loses no accepted network', async () => {
  const accepted: string[] = [];
  const statuses = new Set<number>();
  let isOver = false;
  const client = async (worker: number) => {
    for (let i = 0; !isOver; i++) {
      const name = `load-${worker}-${i}`;
      const { status } = await create(name);
      statuses.add(status);
      if (status === 201) accepted.push(name);
      statuses.add((await api.request('/v1alpha/networks?limit=5')).status);
    }
  };
  const reached = (count: number) =>
    eventually(
      async () => accepted.length,
      (length) => length >= count,
    );
  const clients = Promise.all([0, 1, 2, 3].map(client));
  try {
    await reached(20);
    await stopApiserver(environment.stateFile);
    await eventually(async () => statuses.has(503), Boolean);
    const before = accepted.length;
    await startApiserver(environment.stateFile);
    await reached(before + 20);
  } finally {
    isOver = true;
    await clients;
  }
  expect([...statuses].sort()).toEqual([200, 201, 503]);
  const listed: string[] = [];
  let cursor = '';
  do {
    const { json } = await api.request(`/v1alpha/networks?limit=500${cursor}`);
    listed.push(...json.items.map(({ name }: { name: string }) => name));
    cursor = json.metadata.cursor ? `&cursor=${encodeURIComponent(json.metadata.cursor)}` : '';
  } while (cursor);
  expect(accepted.filter((name) => !listed.includes(name))).toEqual([]);
});
