import { randomBytes } from 'node:crypto';
import { eventually } from '../apiserver/testing/eventually.ts';
import { idempotencyRecordType } from '../core/api/resources/resources.ts';
import { namespaceType } from '../core/kube/types.ts';
import { createTestKube } from '../hack/testenv/testKube.ts';
import { features } from '../test/features.ts';
import { type Client, createClient } from './src/client.ts';
import { startNetwork, type TestNetwork } from './src/fixture/fixture.ts';
import { startInstallation, type TestInstallation } from './testing/installation.ts';

/** Each group of the client against the real API server over a real kube-apiserver. */

const kube = createTestKube();
const suffix = randomBytes(4).toString('hex');
const namespace = `sdk-system-${suffix}`;
const own = `sdk-ann-${suffix}`;
const account = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

let installation: TestInstallation;
let client: Client;
let admin: Client;
let network: TestNetwork;
beforeAll(async () => {
  for (const name of [namespace, own]) {
    await kube.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }
  // The personal workspace of a user has the same namespace in all files.
  const users = [{ userId: `ann-${suffix}`, workspaceId: 'one', namespace: own }];
  installation = await startInstallation({ kube, users, namespace, hasDefaults: true });
  // kube-apiserver rejects kinds briefly after their CRDs are created, which the caches tolerate.
  await eventually(() => kube.list(idempotencyRecordType, { namespace }).catch(() => undefined), Boolean);
  client = installation.client;
  admin = createClient({ url: installation.api.url, apiKey: 'bootstrap.secret-of-bootstrap' });
  network = await startNetwork({ client, name: 'mine' });
});
afterAll(async () => {
  await network.remove();
  await installation.stop();
  for (const name of [namespace, own]) await kube.delete(namespaceType, { name });
  await kube.close();
});

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

test('networks', async () => {
  const { id } = network;
  const read = await client.networks.get(id);
  expect(read).toMatchObject({ id, name: 'mine', status: { state: 'Operational' } });
  expect((await client.networks.getEndpoints(id)).map).toMatchObject({ rpc: network.rpc });
  const labelled = { ...read, metadata: { ...read.metadata, labels: { team: 'a' } } };
  const replaced = await client.networks.replace(id, labelled);
  expect(replaced.metadata.labels).toEqual({ team: 'a' });
  const found = await all(client.networks.listAll({ limit: 1, selector: 'metadata.labels.team == a' }));
  expect(found.map((one) => one.id)).toEqual([id]);
});

test('events', async () => {
  const types: string[] = [];
  let lastEventId = '';
  for await (const event of client.events.stream({ types: ['network.*'] })) {
    types.push(event.type);
    if (event.type === 'network.present') expect(event.object.name).toBe('mine');
    lastEventId = event.lastEventId;
    if (event.type === 'stream.ready') break;
  }
  expect(types).toEqual(['network.present', 'stream.ready']);

  const before = await client.networks.get(network.id);
  const metadata = { ...before.metadata, labels: { team: 'b' } };
  await client.networks.replace(network.id, { ...before, metadata });
  for await (const event of client.events.stream({ lastEventId, types: ['network.updated'] })) {
    expect(event).toMatchObject({ type: 'network.updated', object: { id: network.id } });
    break;
  }
});

test('a change that was overtaken is a Conflict', async () => {
  const read = await client.networks.get(network.id);
  const spec = { ...read.spec, idleAfter: '3h' };
  const stale = { ...read, metadata: { ...read.metadata, rev: 0 }, spec };
  await expect(client.networks.replace(network.id, stale)).rejects.toMatchObject({
    status: 409,
    reason: 'Conflict',
    requestId: expect.stringMatching(/\S/),
  });
});

test('an invalid request names every field', async () => {
  const spec = { persistent: true, chain: { type: 'Nonsense', ethereum: { blockTime: -1 } } };
  // The first field fails the types of callers in TypeScript as well; others send what they like.
  const error = await client.networks.create({ name: 'Not A Name', spec } as never).catch((thrown) => thrown);
  expect(error).toMatchObject({ status: 400, reason: 'BadRequest' });
  const paths = error.details.map(({ path }: { path: string }) => path);
  expect(paths).toEqual(expect.arrayContaining(['name', 'spec.chain.type']));
});

test('secrets, with a repeated Idempotency-Key', async () => {
  const body = { name: 'key', type: 'private-key', data: randomBytes(32).toString('base64') };
  const first = await client.secrets.create(body, { idempotencyKey: `k-${suffix}` });
  const second = await client.secrets.create(body, { idempotencyKey: `k-${suffix}` });
  expect(second.id).toBe(first.id);
  expect((await client.secrets.get(first.id)).data).toBe(body.data);
  expect((await client.secrets.list({ selector: 'metadata.name == key' })).items).toHaveLength(1);
  expect((await client.secrets.delete(first.id)).id).toBe(first.id);
});

test('snapshots', async () => {
  expect(await all(client.snapshots.listAll())).toEqual([]);
  expect(await all(client.snapshots.listAllOfNetwork(network.id))).toEqual([]);
});

const ofFeatures = features.flatMap(({ sdk = {} }) => Object.entries(sdk));
test.each(ofFeatures)('%s', (_group, use) => use(client, network));

test('tokens', async () => {
  expect(JSON.stringify(await client.tokens.listTypes())).toContain('ERC20');
  const deployments = [{ network_id: network.id, args: { total_supply: '1000' } }];
  const deploying = client.tokens.deployErc20({ name: 'Example', symbol: 'EXM', deployments });
  // Ann has no key to sign with.
  await expect(deploying).rejects.toThrow('create one of type private-key');
  expect(await all(client.tokens.listAll({ type: 'ERC20' }))).toEqual([]);
  await expect(client.tokens.get('unknown')).rejects.toMatchObject({ status: 404, reason: 'NotFound' });
  await expect(client.tokens.delete('unknown')).rejects.toMatchObject({ status: 404 });
});

test('transactions', async () => {
  expect(await client.transactions.getHealth()).toHaveProperty('status');
  expect(await all(client.transactions.listAll())).toEqual([]);
  await expect(client.transactions.get(`0x${'0'.repeat(64)}`)).rejects.toMatchObject({ status: 404 });
});

test('recordings and replays', async () => {
  const { recordingId } = await client.recordings.start({ userAddress: account, networkIds: [network.id] });
  expect(await client.recordings.get(recordingId)).toMatchObject({ state: 'recording' });
  expect((await client.recordings.listActive(account)).map(({ id }) => id)).toEqual([recordingId]);
  expect(await client.recordings.list({ networkId: network.id })).toHaveLength(1);
  expect(await client.recordings.delete(recordingId)).toBeUndefined();
  await expect(client.replays.create({ recordingId, dryRun: true })).rejects.toMatchObject({ status: 404 });
});

test('workspaces, members, invitations, API keys and the caller', async () => {
  expect(await admin.account.get()).toMatchObject({ user: { id: 'admin' } });
  expect(await admin.account.listPermissions()).toHaveProperty('roles');
  const { id } = await admin.workspaces.create({ name: `team-${suffix}` });
  const found = await all(admin.workspaces.listAll({ limit: 1 }));
  expect(found.map((one) => one.id)).toContain(id);

  const { token } = await admin.invitations.create(id, { email: `${suffix}@example.com`, role: 'viewer' });
  const stranger = createClient({ url: installation.api.url });
  const { apiKey } = await stranger.invitations.accept({ token });
  expect(await all(admin.memberships.listAll(id))).toHaveLength(2);

  const member = createClient({ url: installation.api.url, apiKey: apiKey?.token });
  const { user } = await member.account.get();
  await admin.memberships.replace({ id, userId: user.id }, { role: 'developer' });
  const key = await member.apiKeys.create(id, { name: 'ci', role: 'viewer' });
  expect((await member.apiKeys.list(id)).items.map((one) => one.name)).toContain('ci');
  await member.apiKeys.delete({ id, keyId: key.id });
  await admin.memberships.delete({ id, userId: user.id });
  await expect(member.workspaces.get(id)).rejects.toMatchObject({ status: expect.any(Number) });
  expect(await admin.workspaces.delete(id)).toBeUndefined();
});
