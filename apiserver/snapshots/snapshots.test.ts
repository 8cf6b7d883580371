import type { NetworkSpec } from '../../core/api/resources/network.ts';
import type { NetworkStatus } from '../../core/api/resources/networkStatus.ts';
import { networkType, snapshotType } from '../../core/api/resources/resources.ts';
import type { SnapshotStatus } from '../../core/api/resources/snapshot.ts';
import { aNetwork, aSnapshot } from '../../core/api/testing/builders.ts';
import { createReflector } from '../../core/kube/cache/reflector.ts';
import { createFakeKube } from '../../core/kube/testing/fake/fake.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { silentLog } from '../../core/lib/log.ts';
import { chainMembersOf } from '../../core/networks/chainChange.ts';
import { startTestApi, type TestApi } from '../testing/harness.ts';

const users = [
  { userId: 'ann', workspaceId: 'one', namespace: 'ws-one' },
  { userId: 'ben', workspaceId: 'two', namespace: 'ws-two' },
  { userId: 'vic', workspaceId: 'one', namespace: 'ws-one', role: 'viewer' },
] as const;
const namespace = 'ws-one';
const privateKeyRef = { name: 'hot-key' };
const running: NetworkStatus = {
  state: 'Operational',
  enclaveID: 'e-1',
  chainID: '31337',
  observedMaintenanceNonce: 4,
};

let kube: ReturnType<typeof createFakeKube>;
let api: TestApi;
let stopOperator: () => Promise<void>;
/** What the operator reports for a new snapshot. */
let outcome: SnapshotStatus;
beforeEach(async () => {
  kube = createFakeKube();
  api = await startTestApi({ kube, users });
  outcome = readyOf('net-uid');
  const reflector = createReflector({ kube, type: snapshotType, log: silentLog, clock: systemClock });
  reflector.onChange(({ type, object: { metadata, status } }) => {
    if (type === 'set' && !status) void kube.patch(snapshotType, metadata, { status: outcome }, 'status');
  });
  reflector.start();
  stopOperator = reflector.stop;
});
afterEach(async () => {
  await stopOperator();
  await api.close();
});

function readyOf(networkID: string, more: SnapshotStatus = {}): SnapshotStatus {
  return {
    ...{ state: 'Ready', networkID, chainType: 'Ethereum', chainID: '31337', enclaveID: 'e-1' },
    ...{ block: 12, bytes: 1000, parts: 1, digest: 'd1', message: 'block 12, 1000 bytes' },
    ...more,
  };
}

const failedWith = (reason: string, message: string): SnapshotStatus => ({
  ...{ state: 'Failed', message },
  conditions: [
    { type: 'Ready', status: 'False', reason, message, lastTransitionTime: '2030-01-01T00:00:00Z' },
  ],
});

function seedNetwork(name: string, status: NetworkStatus = running, spec: Partial<NetworkSpec> = {}): string {
  const { uid } = kube.seed(networkType, aNetwork({ name, namespace, status, spec })).metadata;
  outcome = { ...outcome, networkID: uid };
  return uid;
}

const seedSnapshot = (name: string, status: SnapshotStatus, network = 'net') =>
  kube.seed(snapshotType, aSnapshot({ name, namespace, spec: { network }, status })).metadata.uid;

const pathOf = (id: string, rest = '') => `/v1alpha/networks/${id}/snapshots${rest}`;
const take = (id: string, body: object = {}, as = 'ann') => api.request(pathOf(id), { body, as });
const remove = (path: string) => api.request(path, { method: 'DELETE' });
const stored = async () => (await kube.list(snapshotType, { namespace })).items;

describe('taking a snapshot', () => {
  it('answers with the snapshot once it is Ready', async () => {
    const id = seedNetwork('net');
    const { status, json, headers } = await take(id, { name: 'one', metadata: { labels: { team: 'a' } } });
    expect(status).toBe(201);
    expect(json).toMatchObject({
      ...{ kind: 'Snapshot', version: 'v1alpha', name: 'one', ownerID: 'ann', spec: { network: 'net' } },
      metadata: { workspace: 'one', labels: { team: 'a' } },
      status: { state: 'Ready', block: 12, bytes: 1000 },
    });
    expect(headers.get('location')).toBe(pathOf(id, `/${json.id}`));
  });

  it('gives it a name when it has none, and refuses one that is taken', async () => {
    const id = seedNetwork('net');
    expect((await take(id)).json.name).toMatch(/^snapshot-[0-9a-f]{16}$/);
    await take(id, { name: 'one' });
    const { status, json } = await take(id, { name: 'one' });
    expect([status, json.message]).toEqual([409, expect.stringContaining('"one" already exists')]);
  });

  it.each([
    [
      'stopped',
      { state: 'Stopped' } as const,
      'the network is Stopped, so no snapshot of it can be taken: wake it',
    ],
    ['starting', { state: 'Pending' } as const, 'wait until it is Operational'],
  ])(
    'of a network that is %s is refused with the remedy, and wakes nothing',
    async (_name, status, message) => {
      const answer = await take(seedNetwork('net', status));
      expect([answer.status, answer.json.message]).toEqual([409, expect.stringContaining(message)]);
      expect(await stored()).toEqual([]);
    },
  );

  it.each<[string, NetworkSpec['chain']]>([
    ['Solana', { type: 'Solana', solana: {} }],
    ['participants', { type: 'Ethereum', ethereum: { privateKeyRef, participants: [{ count: 1 }] } }],
  ])('of an engine without snapshots is refused and names it: %s', async (text, chain) => {
    const { status, json } = await take(seedNetwork('net', running, { chain }));
    expect([status, json.message]).toEqual([400, expect.stringMatching(new RegExp(`${text}.*not possible`))]);
  });

  it('beyond the number of the workspace is a 429 that names the budget', async () => {
    const id = seedNetwork('net');
    for (const name of ['a', 'b', 'c']) seedSnapshot(name, readyOf(id));
    const { status, json } = await take(id);
    expect([status, json.message]).toEqual([
      429,
      expect.stringContaining('its budget is 3 (chart value quota.snap'),
    ]);
  });

  it.each([
    ['TooLarge', 413],
    ['QuotaExceeded', 429],
    ['NotSupported', 409],
  ])('that fails for %s answers %d with the reason, and leaves no object', async (reason, code) => {
    const id = seedNetwork('net');
    outcome = failedWith(reason, 'the budget is 1 MiB');
    const { status, json } = await take(id);
    expect([status, json.message]).toEqual([code, 'no snapshot was taken: the budget is 1 MiB']);
    expect(await stored()).toEqual([]);
  });

  it('is not for viewers, nor for other workspaces', async () => {
    const id = seedNetwork('net');
    expect((await take(id, {}, 'vic')).status).toBe(403);
    expect((await take(id, {}, 'ben')).status).toBe(404);
  });
});

describe('reading and deleting snapshots', () => {
  it('lists those of a network, and all of the workspace, those of deleted networks included', async () => {
    const id = seedNetwork('net');
    seedSnapshot('mine', readyOf(id));
    const orphan = seedSnapshot('orphan', readyOf('gone-uid'));
    const namesAt = async (path: string) =>
      (await api.request(path, { as: 'vic' })).json.items.map(({ name }: { name: string }) => name);
    expect(await namesAt(pathOf(id))).toEqual(['mine']);
    expect(await namesAt('/v1alpha/snapshots')).toEqual(['mine', 'orphan']);
    const selector = encodeURIComponent('status.state == Ready && metadata.name == mine');
    expect(await namesAt(`/v1alpha/snapshots?selector=${selector}`)).toEqual(['mine']);
    expect((await api.request(pathOf(id, `/${orphan}`))).status).toBe(404);
    expect((await api.request(`/v1alpha/snapshots/${orphan}`)).json.status.networkID).toBe('gone-uid');
  });

  it('deletes one', async () => {
    const id = seedNetwork('net');
    const mine = seedSnapshot('mine', readyOf(id));
    const orphan = seedSnapshot('orphan', readyOf('gone-uid'));
    expect((await remove(pathOf(id, `/${mine}`))).json).toMatchObject({ id: mine });
    expect((await remove(`/v1alpha/snapshots/${orphan}`)).status).toBe(200);
    expect(await stored()).toEqual([]);
  });

  it('does not delete one that a network begins from, and names the network', async () => {
    const id = seedNetwork('net');
    const mine = seedSnapshot('mine', readyOf(id));
    seedNetwork('copy', running, { from: { snapshot: 'mine' } });
    const { status, json } = await remove(pathOf(id, `/${mine}`));
    expect([status, json.message]).toEqual([
      409,
      expect.stringContaining('because network "copy" began from it'),
    ]);
  });
});

describe('reverting a network', () => {
  const revert = (id: string, snapshot: string, as = 'ann') =>
    api.request(pathOf(id, `/${snapshot}/revert`), { method: 'POST', as });

  it('names the snapshot in the spec and requests a ResetState that was not requested before', async () => {
    const id = seedNetwork('net', running, { maintenanceRequest: { action: 'Restart', nonce: 4 } });
    const snapshot = seedSnapshot('mine', readyOf(id));
    const { status, json } = await revert(id, snapshot);
    expect([status, json.spec.from, json.spec.maintenanceRequest]).toEqual([
      200,
      { snapshot: 'mine' },
      { action: 'ResetState', nonce: 5 },
    ]);
    expect((await revert(id, snapshot)).json.spec.maintenanceRequest.nonce).toBe(6);
    expect((await revert(id, snapshot, 'vic')).status).toBe(403);
  });

  it('needs a snapshot of this network that is Ready', async () => {
    const id = seedNetwork('net');
    const pending = seedSnapshot('pending', { state: 'Pending', networkID: id });
    const foreign = seedSnapshot('foreign', readyOf('other-uid'));
    const { status, json } = await revert(id, pending);
    expect([status, json.message]).toEqual([409, expect.stringContaining('"pending" is not Ready yet')]);
    expect((await revert(id, foreign)).status).toBe(404);
  });
});

describe('a network that begins from a snapshot', () => {
  const create = (spec: object) => api.request('/v1alpha/networks', { body: { name: 'copy', spec } });
  const ethereum = { type: 'Ethereum', ethereum: { privateKeyRef } };
  const from = { snapshot: 'mine' };

  it('is created when the snapshot is Ready, also when its network is gone', async () => {
    seedSnapshot('mine', readyOf('gone-uid'));
    const { status, json } = await create({ from, chain: ethereum });
    expect([status, json.spec.from]).toEqual([201, from]);
  });

  it.each<[string, SnapshotStatus | undefined, object, string]>([
    ['does not exist', undefined, ethereum, 'does not exist in this workspace'],
    ['is not Ready', { state: 'Pending' }, ethereum, 'is not Ready yet'],
    ['failed', { state: 'Failed', message: 'too large' }, ethereum, 'failed (too large): use another one'],
    [
      'is of another type',
      readyOf('x'),
      { type: 'Base', base: {} },
      'is of type Ethereum: use one of type Base',
    ],
    ['is of a fork', readyOf('x', { forkBlock: '9' }), ethereum, 'is of a fork at block 9: enable forking'],
    [
      'is of another block of a fork',
      readyOf('x', { forkBlock: '9' }),
      { type: 'Ethereum', ethereum: { privateKeyRef, forking: { enabled: true, blockHeight: '10' } } },
      'and forking.blockHeight is 10: omit it',
    ],
    [
      'is not of a fork',
      readyOf('x'),
      { type: 'Ethereum', ethereum: { privateKeyRef, forking: { enabled: true } } },
      'is not of a fork: omit forking',
    ],
  ])('is refused when the snapshot %s', async (_name, status, chain, message) => {
    if (status) seedSnapshot('mine', { networkID: 'x', ...status });
    const answer = await create({ from, chain });
    expect(answer.status).toBe(400);
    expect(answer.json.details).toEqual([
      { path: 'spec.from.snapshot', message: expect.stringContaining(message) },
    ]);
  });

  it('is refused on an engine without snapshots', async () => {
    const { status, json } = await create({ from, chain: { type: 'Solana', solana: {} } });
    expect([status, json.details]).toEqual([
      400,
      expect.arrayContaining([
        { path: 'spec.from', message: expect.stringMatching(/^remove it: snapshots of Solana/) },
      ]),
    ]);
  });

  it('does not go with a Resync, which begins elsewhere', async () => {
    seedSnapshot('mine', readyOf('x'));
    const { status, json } = await create({
      from,
      chain: ethereum,
      maintenanceRequest: { action: 'Resync', nonce: 1 },
    });
    expect([status, json.message]).toEqual([
      400,
      expect.stringContaining('remove spec.from, or use ResetState'),
    ]);
  });

  it('is warned about when a PUT sets it, because it ends the running chain', async () => {
    const startedAt = '2030-01-01T00:00:00Z';
    const members = chainMembersOf({ chain: { type: 'Ethereum', ethereum: { privateKeyRef } } });
    const incarnation = { number: 0, members, revision: 0, startedAt };
    const id = seedNetwork(
      'net',
      { ...running, incarnation },
      { chain: { type: 'Ethereum', ethereum: { privateKeyRef } } },
    );
    seedSnapshot('mine', readyOf(id));
    const body = { spec: { from, chain: ethereum } };
    const { headers } = await api.request(`/v1alpha/networks/${id}`, { method: 'PUT', body });
    expect(headers.get('warning')).toContain('spec.from.snapshot starts a new chain');
  });
});
