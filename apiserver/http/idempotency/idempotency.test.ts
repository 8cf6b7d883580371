import { newWorkspace } from '../../../core/accounts/objects.ts';
import { annotations, labels } from '../../../core/api/names.ts';
import type { Stored } from '../../../core/api/resources/kubeObject.ts';
import type { NetworkResource } from '../../../core/api/resources/network.ts';
import {
  apiKeyType,
  idempotencyRecordType,
  invitationType,
  networkType,
  secretType,
  workspaceType,
} from '../../../core/api/resources/resources.ts';
import { aNetwork, aNetworkInput, aSecretInput } from '../../../core/api/testing/builders.ts';
import { createFakeKube, type FakeKube } from '../../../core/kube/testing/fake/fake.ts';
import { AppError } from '../../../core/lib/errors.ts';
import { isStopRequested } from '../../../core/networks/wake.ts';
import { sweepOnce, sweptRecords } from '../../sweeps.ts';
import { type AccountsApi, accountsApiOver, admin } from '../../testing/accountsApi.ts';
import { eventually } from '../../testing/eventually.ts';

let kube: FakeKube;
/** Two replicas on one cluster. */
let one: AccountsApi;
let two: AccountsApi;
beforeEach(async () => {
  kube = createFakeKube();
  [one, two] = await Promise.all([accountsApiOver(kube), accountsApiOver(kube)]);
});
afterEach(() => Promise.all([one.api.close(), two.api.close()]));

const send = (by: AccountsApi, key: string, path: string, body: object, token: string | null = admin) =>
  by.ask(token, path, { body, headers: { 'Idempotency-Key': key } });
const networks = async () => (await kube.list(networkType)).items.filter(({ kind }) => kind === 'Network');

const creations: [string, string, object, () => Promise<number>][] = [
  ['network', '/v1alpha/networks', aNetworkInput(), async () => (await networks()).length],
  ['secret', '/v1alpha/secrets', aSecretInput(), async () => (await kube.list(secretType)).items.length],
  [
    'workspace',
    '/workspaces',
    { name: 'team' },
    async () => (await kube.list(workspaceType)).items.length - 1,
  ],
  [
    'API key',
    '/workspaces/default/api-keys',
    { name: 'k', role: 'viewer' },
    async () => (await kube.list(apiKeyType)).items.length,
  ],
  [
    'invitation',
    '/workspaces/default/invitations',
    { email: 'a@example.com', role: 'viewer' },
    async () => (await kube.list(invitationType)).items.length,
  ],
];

describe.each(creations)('a %s', (_kind, path, body, count) => {
  it('is created once, and every replica gives the same answer', async () => {
    const first = await send(one, 'k1', path, body);
    const second = await send(two, 'k1', path, body);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.text).toBe(first.text);
    expect(second.headers.get('location')).toBe(first.headers.get('location'));
    expect(second.headers.get('etag')).toBe(first.headers.get('etag'));
    expect(await count()).toBe(1);
  });

  it('is created once by many concurrent requests', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => send(n % 2 ? one : two, 'k1', path, body)),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(await count()).toBe(1);
  });

  it.each(['before', 'after'] as const)(
    'is found or created once by the next replica if the first one lost its hold %s a write',
    async (when) => {
      const error = new AppError('Unavailable', 'cut');
      const kinds = ['Network', 'Secret', 'Workspace', 'ApiKey', 'Invitation', 'Membership'];
      for (const kind of kinds) kube.failNext({ verb: 'create', kind, when, error });
      const cut = await send(one, 'k1', path, body);
      expect(cut.status).toBe(503);
      // A new workspace and its membership are two writes, each of which was interrupted.
      const answers = [await send(two, 'k1', path, body), await send(one, 'k1', path, body)];
      expect(answers.at(-1)?.status).toBe(201);
      expect(await count()).toBe(1);
    },
  );

  it('gets the same answer if the first answer could not be stored', async () => {
    kube.failNext({ verb: 'replace', kind: 'IdempotencyRecord', error: new AppError('Unavailable', 'cut') });
    const first = await send(one, 'k1', path, body);
    expect(first.status).toBe(201);
    const { items } = await kube.list(idempotencyRecordType);
    // The first replica is gone, and its hold expires.
    for (const { metadata } of items) {
      await kube.patch(idempotencyRecordType, metadata, { spec: { heldUntil: '1970-01-01T00:00:00Z' } });
    }
    const second = await send(two, 'k1', path, body);
    expect([second.status, second.json]).toEqual([201, first.json]);
    expect(await count()).toBe(1);
  });
});

test('the same key with another body or operation is 409', async () => {
  await send(one, 'k1', '/v1alpha/networks', aNetworkInput());
  for (const [path, body] of [
    ['/v1alpha/networks', aNetworkInput({ name: 'other' })],
    ['/workspaces', { name: 'my-network' }],
  ] as const) {
    const { status, json } = await send(two, 'k1', path, body);
    expect([status, json.message]).toEqual([
      409,
      'this Idempotency-Key was already used for a different request: use a new key',
    ]);
  }
  expect(await networks()).toHaveLength(1);
});

describe('a key that was used for a network', () => {
  const id = '6f1d2c3b-4a5e-4f60-8171-92a3b4c5d6e7';
  const apply = () => {
    const { uid: _, ...metadata } = aNetwork({ name: 'net', namespace: 'slipway-default' }).metadata;
    const marks = { ...metadata, labels: { [labels.id]: id } };
    return kube.create(networkType, { ...aNetwork(), metadata: marks });
  };
  const stop = (by: AccountsApi) => send(by, 'k1', `/v1alpha/networks/${id}/stop`, {});
  /** Plays the operator, which begins to stop the network. */
  const operate = async ({ metadata }: Stored<NetworkResource>) => {
    const asked = await eventually(
      () => kube.get(networkType, metadata),
      (found) => found !== undefined && isStopRequested(found),
    );
    const status = { observedStop: asked?.metadata.annotations?.[annotations.stop] };
    await kube.patch(networkType, metadata, { status }, 'status');
  };
  let network: Stored<NetworkResource>;
  beforeEach(async () => {
    network = await apply();
    const [first] = await Promise.all([stop(one), operate(network)]);
    expect(first.status).toBe(200);
  });

  it('is refused for another one that was created with its id, and nothing is done to that', async () => {
    await kube.delete(networkType, network.metadata);
    const next = await apply();
    const { status, json } = await stop(two);
    expect([status, json.message]).toEqual([
      409,
      `this Idempotency-Key was used for a network that was deleted; another one has its id ${id} now, and nothing was done: use a new key`,
    ]);
    expect((await kube.get(networkType, next.metadata))?.metadata.annotations).toBeUndefined();
  });

  it.each<[string, () => Promise<unknown>]>([
    [
      'the network has a new chain',
      () => kube.patch(networkType, network.metadata, { status: { enclaveID: 'b' } }, 'status'),
    ],
    ['the network is gone', () => kube.delete(networkType, network.metadata)],
    [
      'the network was restored',
      async () => {
        await kube.delete(networkType, network.metadata);
        const { metadata } = await apply();
        await kube.patch(networkType, metadata, { status: { origin: network.metadata.uid } }, 'status');
      },
    ],
  ])('gets the first answer, as ever, when %s', async (_when, change) => {
    await change();
    expect((await stop(two)).status).toBe(200);
  });
});

describe('a key whose record was deleted, as it is after a day', () => {
  const forget = async () => {
    for (const { metadata } of (await kube.list(idempotencyRecordType)).items) {
      await kube.delete(idempotencyRecordType, metadata);
    }
  };

  it.each<[string, string, object, object]>([
    [
      'network',
      '/v1alpha/networks',
      aNetworkInput(),
      aNetworkInput({ spec: aNetwork({ spec: { persistent: true } }).spec }),
    ],
    ['secret', '/v1alpha/secrets', aSecretInput(), aSecretInput({ type: 'private-key' })],
  ])('does not answer another request with the former %s of that name', async (_kind, path, body, other) => {
    expect((await send(one, 'k1', path, body)).status).toBe(201);
    await forget();
    const { status, json } = await send(two, 'k1', path, other);
    expect([status, json.reason]).toEqual([409, 'Conflict']);
  });
});

test('an answer sealed with a removed master key is 409, and nothing is created again', async () => {
  await send(one, 'k1', '/v1alpha/networks', aNetworkInput());
  for (const { metadata, spec } of (await kube.list(idempotencyRecordType)).items) {
    const answer = spec.answer?.replace(/^slipway:v2:[^:]+/, 'slipway:v2:gone');
    await kube.patch(idempotencyRecordType, metadata, { spec: { answer } });
  }
  const { status, json } = await send(two, 'k1', '/v1alpha/networks', aNetworkInput());
  expect([status, json.message]).toEqual([409, expect.stringContaining('can no longer be read')]);
  expect(await networks()).toHaveLength(1);
});

test('keys of different callers are different keys', async () => {
  const ann = await one.join('ann@example.com', 'developer');
  await send(one, 'k1', '/workspaces', { name: 'mine' });
  const answer = await send(one, 'k1', '/workspaces', { name: 'hers' }, ann.token);
  expect([answer.status, answer.json.name]).toEqual([201, 'hers']);
});

test('a created account is returned again, with its key, for the same token', async () => {
  const { token } = await one.post(admin, '/workspaces/default/invitations', {
    email: 'ann@example.com',
    role: 'viewer',
  });
  const first = await send(one, 'k1', '/invitations/accept', { token }, null);
  const again = await send(two, 'k1', '/invitations/accept', { token }, null);
  expect([first.status, again.text]).toEqual([200, first.text]);
  expect((await two.ask(again.json.apiKey.token, '/me')).status).toBe(200);
  // Another caller who uses the same key learns nothing.
  const stranger = await send(two, 'k1', '/invitations/accept', { token: `${token}x` }, null);
  expect(stranger.status).toBe(404);
});

test('an account whose answer was lost before it was stored is returned by the same request', async () => {
  const { token } = await one.post(admin, '/workspaces/default/invitations', {
    email: 'ann@example.com',
    role: 'viewer',
  });
  kube.failNext({ verb: 'replace', kind: 'IdempotencyRecord', error: new AppError('Unavailable', 'cut') });
  const first = await send(one, 'k1', '/invitations/accept', { token }, null);
  for (const { metadata } of (await kube.list(idempotencyRecordType)).items) {
    await kube.patch(idempotencyRecordType, metadata, { spec: { heldUntil: '1970-01-01T00:00:00Z' } });
  }
  const again = await send(two, 'k1', '/invitations/accept', { token }, null);
  expect([again.status, again.json.apiKey]).toEqual([200, first.json.apiKey]);
});

test('a refusal is not stored: the corrected request may use the same key', async () => {
  expect((await send(one, 'k1', '/workspaces', { name: 'Not A Label' })).status).toBe(400);
  await send(one, 'other', '/v1alpha/networks', aNetworkInput());
  expect((await send(one, 'k1', '/v1alpha/networks', aNetworkInput())).status).toBe(409);
  expect((await send(two, 'k1', '/v1alpha/networks', aNetworkInput({ name: 'free' }))).status).toBe(201);
});

test('a refusal after an interrupted attempt is not the end of it: later ones find what it created', async () => {
  const { userId, token } = await one.join('ann@example.com', 'developer');
  const post = (by: AccountsApi) =>
    by.ask(token, '/workspaces', { body: { name: 'a' }, headers: { 'Idempotency-Key': 'k1' } });
  kube.failNext({ verb: 'create', kind: 'Membership', error: new AppError('Unavailable', 'cut') });
  expect((await post(one)).status).toBe(503);
  const others = Array.from({ length: 60 }, (_, n) =>
    newWorkspace({
      namespace: 'slipway-system',
      id: `w${n}`,
      name: 'b',
      owners: [userId],
      createdBy: userId,
    }),
  );
  for (const other of others) kube.seed(workspaceType, other);
  expect((await post(two)).status).toBe(400);
  for (const other of others) await kube.delete(workspaceType, other.metadata);
  expect((await post(one)).status).toBe(201);
  const { items } = await kube.list(workspaceType);
  expect(items.filter(({ spec }) => spec.name === 'a')).toHaveLength(1);
});

test('the record contains no readable part of the request or its answer', async () => {
  const data = Buffer.alloc(32, 'canary!!').toString('base64');
  await send(one, 'my-key', '/v1alpha/secrets', aSecretInput({ data }));
  const key = await send(one, 'k2', '/workspaces/default/api-keys', { name: 'k', role: 'viewer' });
  const stored = JSON.stringify(await kube.list(idempotencyRecordType));
  for (const secret of [data, 'canary', key.json.secret, 'my-key', 'hot-key']) {
    expect(stored).not.toContain(secret);
  }
});

test.each([
  ['empty', ''],
  ['too long', 'k'.repeat(256)],
  ['with a space', 'a b'],
])('a key that is %s is 400', async (_reason, key) => {
  expect((await send(one, key, '/workspaces', { name: 'x' })).status).toBe(400);
});

test('without a key each request is a new one', async () => {
  const [first, second] = [
    await one.post(admin, '/workspaces', { name: 'a' }),
    await one.post(admin, '/workspaces', { name: 'a' }),
  ];
  expect(first.id).not.toBe(second.id);
});

test('records are deleted after a day', async () => {
  await send(one, 'new', '/workspaces', { name: 'a' });
  const [record] = (await kube.list(idempotencyRecordType)).items;
  const metadata = {
    ...record!.metadata,
    name: 'rold',
    uid: 'old',
    creationTimestamp: '2020-01-01T00:00:00Z',
  };
  kube.seed(idempotencyRecordType, { ...record!, metadata });
  await sweepOnce(kube, sweptRecords('slipway-system'));
  const { items } = await kube.list(idempotencyRecordType);
  expect(items.map(({ metadata: { name } }) => name)).toEqual([record!.metadata.name]);
});
