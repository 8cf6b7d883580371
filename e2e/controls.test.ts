import { JsonRpcProvider, Wallet } from 'ethers';
import { getJson, kubectl } from './lib/cluster.ts';
import { createHotKey, createNetwork, endpointsOf, type HotKey, reach, remove } from './lib/networks.ts';
import { call, freshName, serviceUrl, token, until } from './lib/service.ts';

let key: HotKey;
beforeAll(async () => {
  key = await createHotKey();
});

async function createWith(spec: object, metadata = {}): Promise<{ id: string; name: string }> {
  const chain = { type: 'Ethereum', ethereum: { privateKeyRef: { name: key.name } } };
  const body = { name: freshName('control'), metadata, spec: { chain, ...spec } };
  const answer = await call('POST', '/v1alpha/networks', { body });
  expect(answer.status).toBe(201);
  return answer.body;
}

const statusOf = async (name: string) => (await getJson('bnet', name)).status;
const untilState = (name: string, state: string) =>
  until(
    `${name} to be ${state}`,
    () => statusOf(name),
    (status) => status?.state === state,
  );

describe('a network that is stopped by hand', () => {
  let id: string;
  let name: string;
  beforeAll(async () => {
    ({ id, name } = await createWith({ persistent: true }));
    await reach(id, 'Operational');
  });
  afterAll(() => remove(id));

  it('has no pods after POST .../stop, and the same chain after POST .../wake', async () => {
    const { rpc } = await endpointsOf(id);
    const provider = new JsonRpcProvider(rpc, undefined, { cacheTimeout: -1 });
    const receiver = Wallet.createRandom().address;
    await (await key.wallet.connect(provider).sendTransaction({ to: receiver, value: 1n })).wait();
    expect((await call('POST', `/v1alpha/networks/${id}/stop`)).status).toBe(200);
    await untilState(name, 'Stopped');
    expect((await getJson('pods', '--selector', `slipway.dev/network=${id}`)).items).toEqual([]);
    expect((await call('POST', `/v1alpha/networks/${id}/wake`)).status).toBe(200);
    await untilState(name, 'Operational');
    expect(await provider.getBalance(receiver)).toBe(1n);
    provider.destroy();
  });

  it('obeys the annotation that kubectl sets as well', async () => {
    const at = new Date().toISOString();
    const { code } = await kubectl(['annotate', 'bnet', name, `slipway.dev/stop=${at}`, '--overwrite']);
    expect(code).toBe(0);
    await untilState(name, 'Stopped');
  });
});

describe('the lifetime of a network', () => {
  let idle: { id: string; name: string };
  let expiring: { id: string; name: string };
  // Both pass at the same time.
  beforeAll(async () => {
    idle = await createWith({ idleAfter: '60s' });
    expiring = await createWith({ expiresAfter: '2m' });
    await reach(idle.id, 'Operational');
  });
  afterAll(() => remove(idle.id));

  it('ends with a stop after its own idle time', async () => {
    const status = await until(
      `${idle.name} to stop`,
      () => statusOf(idle.name),
      ({ state }) => state === 'Stopped',
      // The time of the last use is known to a minute.
    );
    const runMs = Date.parse(status.lastStoppedAt) - Date.parse(status.lastWakeUpAt);
    expect(runMs).toBeGreaterThanOrEqual(59_000);
  });

  it('ends with its deletion when it expires', async () => {
    const args = ['get', 'bnet', expiring.name, '--ignore-not-found', '-o', 'name'];
    const found = async () => (await kubectl(args)).stdout;
    await until(`${expiring.name} to expire`, found, (text) => text === '');
  });
});

it('labels of REST are labels of kubectl, and select in both', async () => {
  const team = freshName('team');
  const { id, name } = await createWith({}, { labels: { team } });
  const { body } = await call(
    'GET',
    `/v1alpha/networks?selector=${encodeURIComponent(`metadata.labels.team == ${team}`)}`,
  );
  const byKubectl = await kubectl(['get', 'bnet', '-l', `team=${team}`, '-o', 'name']);
  await remove(id);
  expect(body.items.map((item: { id: string }) => item.id)).toEqual([id]);
  expect(byKubectl.stdout).toContain(name);
});

describe('the logs of a network', () => {
  let id: string;
  beforeAll(async () => {
    ({ id } = (await createNetwork({ privateKeyRef: { name: key.name } })).body);
    await reach(id, 'Operational');
  });
  afterAll(() => remove(id));

  it('end with what its engine wrote last', async () => {
    const { status, body } = await call('GET', `/v1alpha/networks/${id}/logs?tail=200`);
    expect(status).toBe(200);
    expect(body).toContain('Listening on');
  });

  it('go on while they are followed', async () => {
    const { rpc } = await endpointsOf(id);
    const controller = new AbortController();
    const response = await fetch(`${serviceUrl}/v1alpha/networks/${id}/logs?follow=true&tail=0`, {
      headers: { Authorization: `Bearer ${token}` },
      signal: controller.signal,
    });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    const first = reader?.read();
    const provider = new JsonRpcProvider(rpc);
    await (await key.wallet.connect(provider).sendTransaction({ to: key.wallet.address })).wait();
    provider.destroy();
    expect((await first)?.value).toMatch(/\S/);
    controller.abort();
  });
});
