import { type AccountsApi, admin, startAccountsApi } from '../../../apiserver/testing/accountsApi.ts';
import { networkType, usageRecordType } from '../../../core/api/resources/resources.ts';
import { createManualClock } from '../../../core/lib/manualClock.ts';

const nowMs = Date.parse('2031-03-03T10:00:00Z');
const namespace = 'slipway-default';
const path = '/workspaces/default/usage';

let world: AccountsApi;
beforeEach(async () => {
  world = await startAccountsApi({ clock: createManualClock(nowMs) });
});
afterEach(() => world.api.close());

const record = (days: object[]) =>
  world.kube.create(usageRecordType, {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'UsageRecord',
    metadata: { name: 'usage', namespace },
    spec: { days: days.map((day) => ({ networkSeconds: 0, rpcCalls: 0, transactions: 0, ...day })) },
  } as never);

test('the last days are answered oldest first, those without use included', async () => {
  await record([
    { day: '2031-02-01', rpcCalls: 1 },
    { day: '2031-03-01', networkSeconds: 5400, rpcCalls: 7, transactions: 2 },
  ]);
  const usage = await world.get(admin, `${path}?days=3`);
  expect(usage.days).toEqual([
    { day: '2031-03-01', networkHours: 1.5, rpcCalls: 7, transactions: 2 },
    { day: '2031-03-02', networkHours: 0, rpcCalls: 0, transactions: 0 },
    { day: '2031-03-03', networkHours: 0, rpcCalls: 0, transactions: 0 },
  ]);
  expect(usage).toMatchObject({ kind: 'Usage', workspaceID: 'default', asOf: '2031-03-03T10:00:00Z' });
});

test('budgets say what is used of how much, the smaller limit where there are two', async () => {
  await world.ask(admin, '/v1alpha/networks', {
    body: {
      name: 'net',
      spec: { chain: { type: 'Ethereum', ethereum: { privateKeyRef: { name: 'key' } } } },
    },
  });
  const { budgets, runningNetworks } = await world.get(admin, path);
  expect(budgets).toEqual(
    expect.arrayContaining([
      { name: 'networks', used: 1, max: 1000 },
      { name: 'persistentNetworks', used: 0, max: 3 },
      { name: 'secrets', used: 0 },
      { name: 'snapshots', used: 0, max: 2 },
      { name: 'snapshotBytes', used: 0, max: 2 * 1024 * 1024 },
    ]),
  );
  expect(runningNetworks).toBe(0);
  const [network] = (await world.kube.list(networkType, { namespace })).items;
  await world.kube.patch(
    networkType,
    network?.metadata as never,
    { status: { state: 'Operational' } },
    'status',
  );
  expect((await world.get(admin, path)).runningNetworks).toBe(1);
});

test('every member sees it, and nobody else', async () => {
  const viewer = await world.join('viewer@example.com', 'viewer');
  expect((await world.ask(viewer.token, path)).status).toBe(200);
  expect((await world.ask(viewer.token, `/workspaces/${viewer.personal}/usage`)).status).toBe(200);
  expect((await world.ask(admin, `/workspaces/${viewer.personal}/usage`)).status).toBe(404);
});

test.each(['days=0', 'days=63', 'days=x', 'weeks=1'])('refuses %s', async (query) => {
  expect((await world.ask(admin, `${path}?${query}`)).status).toBe(400);
});
