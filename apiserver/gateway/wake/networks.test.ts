import { aKeyring } from '../../../core/accounts/testing/keyrings.ts';
import { annotations, labels } from '../../../core/api/names.ts';
import type { NetworkResource } from '../../../core/api/resources/network.ts';
import { networkType } from '../../../core/api/resources/resources.ts';
import { aNetwork } from '../../../core/api/testing/builders.ts';
import { asStored } from '../../../core/api/testing/stored.ts';
import { createFakeKube } from '../../../core/kube/testing/fake/fake.ts';
import { silentLog } from '../../../core/lib/log.ts';
import { createWake } from '../../../core/networks/wake.ts';
import { testPlugin } from '../../../core/plugins/testing/testPlugin.ts';
import type { RpcNetwork } from '../deps.ts';
import { firstEpochs } from '../testing/fixtures.ts';
import { createNetworkLookup } from './networks.ts';

const keyring = aKeyring('access key');
const id = '6f1d2c3b-4a5e-4f60-8171-92a3b4c5d6e7';
const accessKeys = {
  public: { epoch: 0, observedNonce: 0 },
  admin: { epoch: 0, observedNonce: 0 },
};
/** A reflector that has one network under each name. */
const cacheOf = (network: NetworkResource) => ({
  byIndex: () => [asStored(network)],
  onChange: () => () => undefined,
});

it('maps a network to the fields that the gateway needs', () => {
  const network = aNetwork({
    metadata: {
      uid: 'u',
      namespace: 'n',
      labels: { [labels.id]: id },
      deletionTimestamp: '2030-01-01T00:00:00Z',
    },
    status: { state: 'Error', message: 'why', accessKeys },
  });
  const lookup = createNetworkLookup(
    {
      byIndex: (name, value) => (name === 'uid' && value === 'u' ? [asStored(network)] : []),
      onChange: () => () => undefined,
    },
    keyring,
  );
  expect(lookup.find('u')).toEqual({
    uid: 'u',
    id,
    name: 'my-network',
    namespace: 'n',
    type: 'Ethereum',
    participants: 0,
    state: 'Error',
    message: 'why',
    isDeleting: true,
    isFork: true,
    keyScopes: [{ id, namespace: 'n' }, { id: 'u' }],
    accessEpochs: firstEpochs,
  });
  expect(lookup.find('other')).toBeUndefined();
});

it('shows a network as it is after each change', () => {
  let state: 'Operational' | 'Stopped' = 'Operational';
  let change = () => {};
  const current = () => asStored(aNetwork({ metadata: { uid: 'u' }, status: { state } }));
  const cache: Parameters<typeof createNetworkLookup>[0] = {
    byIndex: () => [current()],
    onChange(listener) {
      change = () => listener({ type: 'set', object: current() });
      return () => undefined;
    },
  };
  const lookup = createNetworkLookup(cache, keyring);
  expect(lookup.find('u')?.state).toBe('Operational');
  state = 'Stopped';
  change();
  expect(lookup.find('u')?.state).toBe('Stopped');
});

it('has all networks that a URL may mean: the oldest first, and those that are being deleted last', () => {
  const of = (namespace: string, creationTimestamp: string, more = {}) =>
    aNetwork({ namespace, metadata: { creationTimestamp, labels: { [labels.id]: id }, ...more } });
  const deletionTimestamp = '2026-03-03T00:00:00Z';
  const all = [
    of('c', '2026-03-01T00:00:00Z'),
    of('a', '2026-01-01T00:00:00Z', { deletionTimestamp }),
    of('b', '2026-02-01T00:00:00Z'),
  ].map(asStored);
  const byIndex = (name: string, value: string) => (name === 'anyId' && value === id ? all : []);
  const lookup = createNetworkLookup({ byIndex, onChange: () => () => undefined }, keyring);
  expect(lookup.at(id).map(({ namespace }) => namespace)).toEqual(['b', 'c', 'a']);
  expect(lookup.at('another')).toEqual([]);
});

it('tells uid and id of what changed', () => {
  const seen: string[][] = [];
  const network = asStored(aNetwork({ metadata: { uid: 'u', labels: { [labels.id]: id } } }));
  const cache: Parameters<typeof createNetworkLookup>[0] = {
    byIndex: () => [],
    onChange(listener) {
      listener({ type: 'deleted', object: network });
      return () => undefined;
    },
  };
  createNetworkLookup(cache, keyring).onChange((...names) => void seen.push(names));
  expect(seen).toEqual([['u', id]]);
});

it('tells why the services of a plugin that failed cannot be used', () => {
  const plugins = { vrf: { type: 'mpc' as const } };
  const network = aNetwork({
    metadata: { uid: 'u' },
    spec: { chain: { type: 'Base', base: { plugins } } },
    status: { state: 'Operational', plugins: { vrf: { state: 'Error', message: 'no image' } } },
  });
  const lookup = createNetworkLookup(cacheOf(network), keyring, { vrf: testPlugin });
  const why = 'the plugin vrf is in state Error: no image';
  expect(lookup.find('u')?.failedServices).toEqual({ vrf: why, 'vrf-admin': why });
});

it.each([
  ['a fork', true, 'Operational', 2, true],
  ['no fork', false, 'Operational', 2, false],
  ['no fork any more, but the operator has not seen that yet', false, 'Operational', 1, true],
  ['no fork any more, but its engine is not replaced yet', false, 'Pending', 2, true],
  ['no fork, but the old engine may still run', false, 'Error', 2, true],
] as const)(
  'treats a network as a fork while its engine may still be one: %s',
  (_case, enabled, state, seen, isFork) => {
    const forking = { enabled, blockHeight: 'latest' };
    const chain = { type: 'Ethereum', ethereum: { privateKeyRef: { name: 'key' }, forking } } as const;
    const network = aNetwork({
      metadata: { generation: 2 },
      spec: { chain },
      status: { state, observedGeneration: seen },
    });
    const lookup = createNetworkLookup(cacheOf(network), keyring);
    expect(lookup.find('u')?.isFork).toBe(isFork);
  },
);

it('counts the participants of a network', () => {
  const participants = [{ count: 3 }, {}];
  const chain = {
    type: 'Ethereum',
    ethereum: { privateKeyRef: { name: 'key' }, participants },
  } as const;
  const lookup = createNetworkLookup(cacheOf(aNetwork({ spec: { chain } })), keyring);
  expect(lookup.find('u')?.participants).toBe(4);
});

it('tells the profile that a network began with', () => {
  const incarnation = { number: 0, members: {}, profile: 'real', revision: 0 } as const;
  const network = aNetwork({ spec: { chain: { type: 'Base', base: {} } }, status: { incarnation } });
  const lookup = createNetworkLookup(cacheOf(network), keyring);
  expect(lookup.find('u')?.profile).toBe('real');
});

describe('wake', () => {
  async function setUp() {
    const kube = createFakeKube();
    const network = await kube.create(networkType, aNetwork());
    const { uid, name, namespace } = network.metadata;
    const state = 'Stopped' as const;
    const view: RpcNetwork = {
      uid,
      id: uid,
      keyScopes: [{ id: uid, namespace: 'n' }],
      name,
      namespace,
      type: 'Ethereum',
      state,
      isDeleting: false,
      accessEpochs: firstEpochs,
    };
    return { kube, view };
  }

  it('sets the annotation that a user would set', async () => {
    const { kube, view } = await setUp();
    createWake({ kube, networks: { find: () => view }, log: silentLog })(view.uid);
    let wake: string | undefined;
    while (!wake) {
      wake = (await kube.get(networkType, view))?.metadata.annotations?.[annotations.wake];
    }
    expect(wake).toMatch(/^\d{4}-\d\d-\d\dT/);
  });

  it('does not wake another network of the same name, and never throws', async () => {
    const { kube, view } = await setUp();
    const lines: string[] = [];
    const warned = new Promise<void>((resolve) => {
      const log = { ...silentLog, warn: (message: string) => resolve(void lines.push(message)) };
      createWake({ kube, networks: { find: () => ({ ...view, uid: 'another' }) }, log })('another');
    });
    await warned;
    expect(lines).toEqual(['cannot wake a network']);
    expect((await kube.get(networkType, view))?.metadata.annotations?.[annotations.wake]).toBeUndefined();
  });

  it('does nothing for an unknown network', () => {
    createWake({ kube: createFakeKube(), networks: { find: () => undefined }, log: silentLog })('u');
  });
});
