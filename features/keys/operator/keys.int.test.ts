import { eventually } from '../../../apiserver/testing/eventually.ts';
import { startTestApi, type TestApi } from '../../../apiserver/testing/harness.ts';
import { aKeyring } from '../../../core/accounts/testing/keyrings.ts';
import { apiVersion, labels } from '../../../core/api/names.ts';
import type { NetworkResource, NetworkSpec } from '../../../core/api/resources/network.ts';
import { networkType } from '../../../core/api/resources/resources.ts';
import { aNetwork } from '../../../core/api/testing/builders.ts';
import { createReflector } from '../../../core/kube/cache/reflector.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { namespaceType } from '../../../core/kube/types.ts';
import { systemClock } from '../../../core/lib/clock.ts';
import { compact } from '../../../core/lib/compact.ts';
import { silentLog } from '../../../core/lib/log.ts';
import { withUids } from '../../../hack/backup/objects.ts';
import { createTestKube } from '../../../hack/testenv/testKube.ts';
import { rpcKeyRecordType } from '../api/record.ts';
import { maxKeys, type RpcKeyResource, rpcKeyType } from '../api/rpcKey.ts';
import { feature } from './feature.ts';

const kube = createTestKube();
const namespace = `keys-${process.pid}`;
const networks: Stored<NetworkResource>[] = [];
let api: TestApi;
let stopOperator: () => Promise<void>;

async function startOperator(): Promise<() => Promise<void>> {
  const common = { kube, clock: systemClock, log: silentLog, namespace };
  const { caches, connect } = feature.open(common);
  const all = createReflector({ ...common, type: networkType });
  for (const cache of [...caches, all]) cache.start();
  await Promise.all([...caches, all].map((cache) => cache.whenSynced()));
  const stopping = new AbortController();
  const installation = { publicUrl: 'https://slipway.example', serviceDomain: '' };
  const keys = { access: aKeyring('access key') };
  const surroundings = { ...common, networks: { networks: all }, installation, keys };
  const running = connect(surroundings as never)({ workers: 1 }).map((one) => one.run(stopping.signal));
  return async () => {
    stopping.abort();
    await Promise.all(running);
    await Promise.all([...caches, all].map((cache) => cache.stop()));
  };
}

async function addNetwork(name: string, spec?: NetworkSpec): Promise<Stored<NetworkResource>> {
  const network = aNetwork({ name, namespace, ...compact({ spec }) });
  const metadata = { ...network.metadata, labels: { [labels.id]: crypto.randomUUID() } };
  const created = await kube.create(networkType, { ...network, metadata });
  const endpoints = { rpc: 'https://x', ws: 'wss://x', explorer: 'https://x' };
  return kube.patch(networkType, created.metadata, { status: { endpoints } }, 'status');
}

beforeAll(async () => {
  for (const name of [namespace, `${namespace}-system`])
    await kube.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  networks.push(await addNetwork('first'), await addNetwork('second'));
  const users = [{ userId: 'ann', workspaceId: 'one', namespace }];
  api = await startTestApi({ kube, users, namespace: `${namespace}-system` });
  stopOperator = await startOperator();
});
afterAll(async () => {
  await stopOperator();
  await api.close();
  await kube.close();
});

const networkAt = (index: number) => networks[index] as Stored<NetworkResource>;
const idAt = (index: number) => networkAt(index).metadata.labels?.[labels.id] ?? '';
const path = (index = 0) => `/v1alpha/networks/${idAt(index)}/keys`;
const create = (body: object, index = 0) => api.request(path(index), { body });
const revoke = (name: string, index = 0) => api.request(`${path(index)}/${name}`, { method: 'DELETE' });
const textIn = (url: string) => url.split('/')[5] ?? '';
const opened = (url: string, index = 0) =>
  api.features.namedKeys?.find(
    { id: idAt(index), name: networkAt(index).metadata.name, namespace },
    textIn(url),
  );
const manifestOf = ({ metadata, spec }: Stored<RpcKeyResource>): RpcKeyResource => ({
  apiVersion,
  kind: 'RpcKey',
  metadata: {
    name: metadata.name,
    namespace,
    labels: metadata.labels ?? {},
    annotations: metadata.annotations ?? {},
  },
  spec,
});
const stored = async (name: string) =>
  (await kube.get(rpcKeyType, { namespace, name })) as Stored<RpcKeyResource>;
/** The URL of a key once the operator has begun. */
async function urlOf({ metadata: { name, uid } }: Stored<RpcKeyResource>): Promise<string> {
  for (;;) {
    const now = await stored(name);
    const url = now?.metadata.uid === uid ? now.status?.endpoints?.rpc : undefined;
    if (url !== undefined && opened(url)?.isRevoked === false) return url;
    await new Promise((done) => setTimeout(done, 20));
  }
}

it('a key opens its network alone, with what it was made with', async () => {
  const expiresAt = '2999-01-01T00:00:00Z';
  const { status, json } = await create({ name: 'own', expiresAt, methods: ['eth_*', 'net_version'] });
  expect([status, json.state, Object.keys(json.endpoints)]).toEqual([201, 'Active', ['rpc', 'ws']]);
  const url = json.endpoints.rpc;
  expect(url).toMatch(new RegExp(`^https://slipway.example/rpc/${idAt(0)}/[A-Za-z0-9_-]{24}/rpc$`));
  expect(opened(url)).toEqual({
    name: 'own',
    isRevoked: false,
    methods: ['eth_*', 'net_version'],
    expiresAtMs: Date.parse(expiresAt),
  });
  expect(opened(url, 1)).toBeUndefined();
  expect((await api.request(path())).json.items).toMatchObject([{ name: 'own', endpoints: { rpc: url } }]);
  expect((await api.request(path(1))).json.items).toEqual([]);
  expect((await revoke('own', 1)).status).toBe(404);
});

it('a key that was revoked is known as revoked, and one of the same name has another text', async () => {
  const before = (await create({ name: 'again' })).json.endpoints.rpc;
  expect((await revoke('again')).status).toBe(200);
  expect(opened(before)).toMatchObject({ name: 'again', isRevoked: true });
  const after = (await create({ name: 'again' })).json.endpoints.rpc;
  expect(textIn(after)).not.toBe(textIn(before));
  expect([opened(before)?.isRevoked, opened(after)?.isRevoked]).toEqual([true, false]);
  expect((await revoke('again')).status).toBe(200);
  const third = (await create({ name: 'again' })).json.endpoints.rpc;
  expect(new Set([before, after, third].map(textIn)).size).toBe(3);
  expect(opened(before)).toBeUndefined();
});

it('a manifest from before brings a revoked key back under another text, also if no operator saw its deletion', async () => {
  const before = (await create({ name: 'applied' })).json.endpoints.rpc;
  const manifest = manifestOf(await stored('applied'));
  await stopOperator();
  await kube.delete(rpcKeyType, { namespace, name: 'applied' });
  const created = await kube.create(rpcKeyType, manifest);
  await api.request(path());
  expect(opened(before)?.isRevoked ?? true).toBe(true);
  stopOperator = await startOperator();
  const after = await urlOf(created);
  expect(textIn(after)).not.toBe(textIn(before));
  expect(opened(before)).toMatchObject({ isRevoked: true });
});

it('a status that somebody writes opens nothing', async () => {
  const created = (await create({ name: 'status' })).json.endpoints.rpc;
  await revoke('status');
  const again = await kube.create(rpcKeyType, {
    apiVersion,
    kind: 'RpcKey',
    metadata: { name: 'status', namespace },
    spec: { network: 'first' },
  });
  await kube.patch(
    rpcKeyType,
    again.metadata,
    { status: { state: 'Active', endpoints: { rpc: created } } },
    'status',
  );
  const after = await urlOf(again);
  expect([textIn(after) === textIn(created), opened(created)?.isRevoked]).toEqual([false, true]);
});

it('a restore keeps the texts of keys, and those that were revoked before it stay so', async () => {
  const kept = (await create({ name: 'kept' })).json.endpoints.rpc;
  const lost = (await create({ name: 'lost' })).json.endpoints.rpc;
  await revoke('lost');
  const later = (await create({ name: 'lost' })).json.endpoints.rpc;
  const formers = [await stored('kept'), await stored('lost')];
  const record = await kube.get(rpcKeyRecordType, { namespace, name: 'rpc-keys' });
  await stopOperator();
  // As a restore does: objects with other uids, and the record linked to them.
  const uids = new Map<string, string>();
  for (const former of formers) {
    await kube.delete(rpcKeyType, former.metadata);
    const { metadata } = await kube.create(rpcKeyType, manifestOf(former));
    uids.set(former.metadata.uid, metadata.uid);
  }
  const linked = withUids(record?.spec ?? {}, (uid) => uids.get(uid) ?? uid);
  await kube.patch(rpcKeyRecordType, { namespace, name: 'rpc-keys' }, { spec: linked });
  stopOperator = await startOperator();
  expect(textIn(await urlOf(await stored('kept')))).toBe(textIn(kept));
  expect(textIn(await urlOf(await stored('lost')))).toBe(textIn(later));
  expect(opened(lost)?.isRevoked ?? true).toBe(true);
});

it('a key for a network of another name, of an expiry that is over, or of methods that are closed is refused', async () => {
  const bad = { name: 'bad', expiresAt: '2020-01-01T00:00:00Z', methods: ['eth_call', 'anvil_mine'] };
  const { status, json } = await create(bad);
  expect([status, json.details.map(({ path: field }: { path: string }) => field)]).toEqual([
    400,
    ['expiresAt', 'methods[1]'],
  ]);
  const { metadata } = await stored('own');
  await expect(kube.patch(rpcKeyType, metadata, { spec: { network: 'second' } })).rejects.toThrow(
    /immutable/,
  );
});

it('beginnings of methods that no public URL has are refused, and those that some has are not', async () => {
  const { status, json } = await create({
    name: 'bad',
    methods: ['miner_*', 'ETH_*', 'eth_send*', 'debug_trace*', 'e*'],
  });
  expect([status, json.details.map(({ path: field }: { path: string }) => field)]).toEqual([
    400,
    ['methods[0]', 'methods[1]'],
  ]);
});

it('a LayerZero network has no keys, whoever asks for one', async () => {
  const networkRef = { name: 'first' };
  const layerzero = { networks: [{ networkRef }, { networkRef: { name: 'second' } }] };
  networks.push(await addNetwork('lz', { chain: { type: 'LayerZero', layerzero } }));
  const { status, json } = await create({ name: 'key' }, 2);
  expect([status, json.message]).toEqual([400, expect.stringContaining('create keys for its members')]);
  await kube.create(rpcKeyType, {
    apiVersion,
    kind: 'RpcKey',
    metadata: { name: 'of-lz', namespace },
    spec: { network: 'lz' },
  });
  const found = await eventually(
    () => stored('of-lz'),
    (key) => key.status?.state !== undefined,
  );
  expect(found.status).toMatchObject({
    state: 'Error',
    message: expect.stringContaining('create keys for its members'),
  });
});

it(`a network has ${maxKeys} keys at most`, async () => {
  const names = Array.from({ length: maxKeys }, (_, index) => `many-${index}`);
  for (const name of names) {
    const metadata = { name, namespace };
    await kube.create(rpcKeyType, { apiVersion, kind: 'RpcKey', metadata, spec: { network: 'second' } });
  }
  const { status, json } = await create({ name: 'more' }, 1);
  expect([status, json.message]).toEqual([429, expect.stringContaining(`${maxKeys} keys`)]);
  const metadata = { name: 'by-hand', namespace };
  await kube.create(rpcKeyType, { apiVersion, kind: 'RpcKey', metadata, spec: { network: 'second' } });
  for (const name of [...names, 'by-hand']) {
    await eventually(
      () => stored(name),
      (key) => key.status?.state === (name === 'by-hand' ? 'Error' : 'Active'),
    );
  }
  const [record] = (await kube.list(rpcKeyRecordType, { namespace })).items;
  expect(Object.keys(record?.spec.keys ?? {})).not.toContain('by-hand');
});
