import { apiVersion } from '../../core/api/names.ts';
import { idempotencyRecordType, usageRecordType } from '../../core/api/resources/resources.ts';
import { settle } from '../../core/kube/testing/settle.ts';
import { toRfc3339 } from '../../core/lib/clock.ts';
import { mib } from '../../core/storage/budget.ts';
import { storedBytes } from '../../core/storage/kinds.ts';
import { type AccountsApi, admin, startAccountsApi } from '../testing/accountsApi.ts';

const namespace = 'slipway-default';

let world: AccountsApi;
beforeEach(async () => {
  world = await startAccountsApi({ quota: { workspaceStoredMiB: 1, storedMiB: 16 } });
});
afterEach(() => world.api.close());

/** What the operator counted some seconds from now. */
async function counted(kinds: Partial<Record<'secrets' | 'recordings', number>>, inNamespace = namespace) {
  const metadata = { name: 'usage', namespace: inNamespace };
  const known = await world.kube.get(usageRecordType, metadata);
  if (!known) {
    await world.kube.create(usageRecordType, {
      apiVersion,
      kind: 'UsageRecord',
      metadata,
      spec: { days: [] },
    });
  }
  const bytes = Object.values(kinds).reduce((sum, one) => sum + one, 0);
  const asOf = toRfc3339((await world.kube.serverTimeMs()) + 20_000);
  const stored = { asOf, account: inNamespace, bytes, kinds };
  await world.kube.patch(usageRecordType, metadata, { status: { stored } }, 'status');
  await settle();
}

const createSecret = (name: string, size = 100) =>
  world.ask(admin, '/v1alpha/secrets', {
    body: { name, type: 'generic', data: 'x'.repeat(size) },
  });
const usage = () => world.get(admin, '/workspaces/default/usage');

test('who would exceed the budget gets 429 with the budget, what uses most, and the remedy', async () => {
  await counted({ recordings: 0.9 * mib, secrets: 0.1 * mib });
  const { status, json } = await createSecret('late');
  expect(status).toBe(429);
  expect(json).toMatchObject({ reason: 'TooManyRequests' });
  expect(json.message).toBe(
    'the workspace stores 1 MiB, and this would exceed its budget of 1 MiB (chart value quota.workspaceStoredMiB). ' +
      'Most of it: recordings (0.9 MiB), secrets (0.1 MiB). Remedy: delete recordings, or ask for a larger budget',
  );
});

test('deleting is always possible, and makes room', async () => {
  const { json } = await createSecret('early');
  await counted({ secrets: mib });
  expect((await createSecret('late')).status).toBe(429);
  expect((await world.ask(admin, `/v1alpha/secrets/${json.id}`, { method: 'DELETE' })).status).toBe(200);
  await counted({ secrets: mib / 2 });
  expect((await createSecret('late')).status).toBe(201);
});

test('a replica counts what it stores at once', async () => {
  const outcomes: number[] = [];
  for (let index = 0; index < 20; index++) outcomes.push((await createSecret(`s${index}`, 60_000)).status);
  const created = outcomes.filter((status) => status === 201).length;
  expect(outcomes.filter((status) => status === 429)).toHaveLength(20 - created);
  expect(created).toBeGreaterThan(8);
  expect(created).toBeLessThan(18);
});

test('what another workspace stores takes nothing from it', async () => {
  await counted({ secrets: mib }, 'slipway-other');
  expect((await createSecret('own')).status).toBe(201);
});

test('the usage of a workspace says what takes how much', async () => {
  await counted({ secrets: 1000, recordings: 5000 });
  const { budgets, stored } = await usage();
  expect(budgets).toContainEqual({ name: 'storedBytes', used: 6000, max: mib });
  expect(stored).toEqual([
    { kind: 'recordings', bytes: 5000 },
    { kind: 'secrets', bytes: 1000 },
  ]);
});

test('the answers of requests with an Idempotency-Key count, and no others', async () => {
  const create = (name: string, headers: Record<string, string> = {}) =>
    world.ask(admin, '/v1alpha/secrets', { body: { name, type: 'generic', data: 'eA==' }, headers });
  await create('plain');
  await settle();
  const records = async () =>
    (await usage()).stored.filter(({ kind }: { kind: string }) => kind === 'records');
  expect(await records()).toEqual([]);
  await create('keyed', { 'Idempotency-Key': 'one' });
  await settle();
  const [record] = (await world.kube.list(idempotencyRecordType)).items;
  expect(await records()).toEqual([{ kind: 'records', bytes: storedBytes(record) }]);
});
