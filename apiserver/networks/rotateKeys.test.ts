import type { NetworkStatus } from '../../core/api/resources/networkStatus.ts';
import { networkType } from '../../core/api/resources/resources.ts';
import { aNetwork } from '../../core/api/testing/builders.ts';
import { createFakeKube } from '../../core/kube/testing/fake/fake.ts';
import { rotatedAccessKeys } from '../../core/networks/accessEpochs.ts';
import { eventually } from '../testing/eventually.ts';
import { startTestApi, type TestApi, type TestUser } from '../testing/harness.ts';
import { spec } from '../testing/networkApi.ts';

const common = { workspaceId: 'one', namespace: 'ws-one' };
const users: TestUser[] = [
  { userId: 'ann', ...common },
  { userId: 'vic', role: 'viewer', ...common },
  { userId: 'ren', permissions: ['networks:read'], ...common },
];
const rpc = 'http://gateway/rpc/u/public/rpc';
const status = {
  state: 'Operational',
  endpoints: { rpc },
  adminServices: ['explorer', 'admin'],
  accessKeys: { public: { epoch: 0, observedNonce: 0 }, admin: { epoch: 0, observedNonce: 0 } },
} satisfies NetworkStatus;

let kube: ReturnType<typeof createFakeKube>;
let api: TestApi;
beforeEach(async () => {
  kube = createFakeKube();
  api = await startTestApi({ kube, users });
});
afterEach(() => api.close());

const seed = (more: Partial<NetworkStatus> = {}) =>
  kube.seed(networkType, aNetwork({ name: 'a', namespace: 'ws-one', status: { ...status, ...more } }))
    .metadata.uid;
const path = (uid: string, rest = '') => `/v1alpha/networks/${uid}${rest}`;

describe('the URLs with the admin key', () => {
  const answers: [string, (uid: string, as: string) => Promise<object>][] = [
    ['a network', async (uid, as) => (await api.request(path(uid), { as })).json.status.endpoints],
    [
      'a list',
      async (_uid, as) => (await api.request('/v1alpha/networks', { as })).json.items[0].status.endpoints,
    ],
    ['the endpoints', async (uid, as) => (await api.request(path(uid, '/endpoints'), { as })).json.map],
  ];
  it.each(answers)('are in %s for callers with networks:write, and for no others', async (_what, read) => {
    const uid = seed();
    const admin = expect.stringMatching(`^http://gateway/rpc/${uid}/[\\w-]{24}/admin$`);
    const explorer = expect.stringMatching(`^http://gateway/rpc/${uid}/[\\w-]{24}/explorer$`);
    // In turn, because answers are kept.
    for (const as of ['ann', 'vic', 'ann', 'ren']) {
      const all = as === 'ann' ? { rpc, admin, explorer } : { rpc };
      expect(await read(uid, as)).toEqual(all);
    }
  });

  it('are in the answers to a change and a deletion', async () => {
    const uid = seed();
    const admin = expect.stringContaining('/admin');
    const replaced = await api.request(path(uid), { method: 'PUT', body: { spec } });
    expect(replaced.json.status.endpoints).toMatchObject({ rpc, admin });
    const deleted = await api.request(path(uid), { method: 'DELETE' });
    expect(deleted.json.status.endpoints).toMatchObject({ rpc, admin });
  });
});

test('the keys of a LayerZero network are those of its members, and refused', async () => {
  const spec = { chain: { type: 'LayerZero' as const, layerzero: { networks: [] } } };
  const { metadata } = kube.seed(networkType, aNetwork({ name: 'lz', namespace: 'ws-one', spec }));
  const { status: code, json } = await api.request(path(metadata.uid, '/rotate-keys'), { body: {} });
  expect([code, json.message]).toEqual([400, expect.stringContaining('rotate the keys of its members')]);
});

describe('a rotation of access keys', () => {
  const rotate = (uid: string, body: object, as = 'ann') =>
    api.request(path(uid, '/rotate-keys'), { body, as });
  const stored = () => kube.get(networkType, { namespace: 'ws-one', name: 'a' });

  /** Plays the operator: counts the rotation once it is requested. */
  async function operate(): Promise<void> {
    const network = await eventually(stored, (found) => found?.spec.accessKeyRotation !== undefined);
    if (!network) throw new Error('the network does not exist');
    await kube.patch(
      networkType,
      network.metadata,
      { status: { accessKeys: rotatedAccessKeys(network) } },
      'status',
    );
  }

  it.each([
    ['both keys', {}, { publicNonce: 1, adminNonce: 1 }],
    ['one key', { keys: ['admin'] }, { adminNonce: 1 }],
  ])(
    'of %s is answered once the operator has counted it, with the new URLs',
    async (_which, body, nonces) => {
      const uid = seed();
      const before = (await api.request(path(uid))).json.status.endpoints.admin;
      const [answer] = await Promise.all([rotate(uid, body), operate()]);
      expect(answer.status).toBe(200);
      expect(answer.json.spec.accessKeyRotation).toEqual(nonces);
      expect(answer.json.status.accessKeys.admin).toEqual({ epoch: 1, observedNonce: 1 });
      expect(answer.json.status.endpoints.admin).toMatch(/admin$/);
      expect(answer.json.status.endpoints.admin).not.toBe(before);
    },
  );

  it('leaves no URL of a key in answers until the operator has counted it', async () => {
    const uid = seed();
    await kube.patch(
      networkType,
      { namespace: 'ws-one', name: 'a' },
      { spec: { accessKeyRotation: { publicNonce: 1 } } },
    );
    const read = () => api.request(path(uid, '/endpoints'));
    const { json } = await eventually(read, (answer) => !('rpc' in answer.json.map));
    expect(Object.keys(json.map).sort()).toEqual(['admin', 'explorer']);
  });

  it('keeps what else the spec requests', async () => {
    const uid = seed({
      accessKeys: { public: { epoch: 3, observedNonce: 9 }, admin: { epoch: 0, observedNonce: 0 } },
    });
    const [answer] = await Promise.all([rotate(uid, { keys: ['public'] }), operate()]);
    expect(answer.json.spec).toEqual({ ...aNetwork().spec, accessKeyRotation: { publicNonce: 10 } });
    expect(answer.json.status.accessKeys.public).toEqual({ epoch: 4, observedNonce: 10 });
  });

  it('is not withdrawn by a PUT whose spec does not know of it', async () => {
    const uid = seed();
    const accessKeyRotation = { adminNonce: 1 };
    await kube.patch(networkType, { namespace: 'ws-one', name: 'a' }, { spec: { accessKeyRotation } });
    const { json } = await api.request(path(uid), {
      method: 'PUT',
      body: { spec: { ...spec, persistent: true } },
    });
    expect(json.spec).toMatchObject({ persistent: true, accessKeyRotation });
    expect(json.status.endpoints).not.toHaveProperty('admin');
  });

  it.each([
    ['a viewer', 403, {}, 'vic'],
    ['a key that may only read', 403, {}, 'ren'],
    ['an unknown key', 400, { keys: ['rpc'] }, 'ann'],
    ['no key at all', 400, { keys: [] }, 'ann'],
  ])('%s is %i', async (_who, code, body, as) => {
    expect((await rotate(seed(), body, as)).status).toBe(code);
    expect((await stored())?.spec.accessKeyRotation).toBeUndefined();
  });
});
