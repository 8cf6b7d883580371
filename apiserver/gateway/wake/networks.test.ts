import { annotations } from '../../../core/api/names.ts';
import { networkType } from '../../../core/api/resources/resources.ts';
import { aNetwork } from '../../../core/api/testing/builders.ts';
import { asStored } from '../../../core/api/testing/stored.ts';
import { createFakeKube } from '../../../core/kube/testing/fake/fake.ts';
import { silentLog } from '../../../core/lib/log.ts';
import { firstEpochs } from '../../../core/networks/accessEpochs.ts';
import { testPlugin } from '../../../core/plugins/testing/testPlugin.ts';
import { createNetworkLookup, createWake } from './networks.ts';

it('maps a network to the fields that the gateway needs', () => {
  const network = aNetwork({
    metadata: { uid: 'u', namespace: 'n', deletionTimestamp: '2030-01-01T00:00:00Z' },
    status: { state: 'Error', message: 'why' },
  });
  const lookup = createNetworkLookup({
    byIndex: (name, value) => (name === 'uid' && value === 'u' ? [asStored(network)] : []),
    onChange: () => () => undefined,
  });
  expect(lookup.find('u')).toEqual({
    uid: 'u',
    name: 'my-network',
    namespace: 'n',
    type: 'Ethereum',
    participants: 0,
    state: 'Error',
    message: 'why',
    isDeleting: true,
    isFork: true,
    accessEpochs: firstEpochs,
  });
  expect(lookup.find('other')).toBeUndefined();
});

it('shows a network as it is after each change', () => {
  let state: 'Operational' | 'Stopped' = 'Operational';
  let change = () => {};
  const current = () => asStored(aNetwork({ metadata: { uid: 'u' }, status: { state } }));
  const lookup = createNetworkLookup({
    byIndex: () => [current()],
    onChange(listener) {
      change = () => listener({ type: 'set', object: current() });
      return () => undefined;
    },
  });
  expect(lookup.find('u')?.state).toBe('Operational');
  state = 'Stopped';
  change();
  expect(lookup.find('u')?.state).toBe('Stopped');
});

it('tells why the services of a plugin that failed cannot be used', () => {
  const plugins = { vrf: { type: 'mpc' as const } };
  const network = aNetwork({
    metadata: { uid: 'u' },
    spec: { chain: { type: 'Base', base: { plugins } } },
    status: { state: 'Operational', plugins: { vrf: { state: 'Error', message: 'no image' } } },
  });
  const lookup = createNetworkLookup(
    { byIndex: () => [asStored(network)], onChange: () => () => undefined },
    { vrf: testPlugin },
  );
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
    const lookup = createNetworkLookup({
      byIndex: () => [asStored(network)],
      onChange: () => () => undefined,
    });
    expect(lookup.find('u')?.isFork).toBe(isFork);
  },
);

it('counts the participants of a network', () => {
  const participants = [{ count: 3 }, {}];
  const chain = {
    type: 'Ethereum',
    ethereum: { privateKeyRef: { name: 'key' }, participants },
  } as const;
  const lookup = createNetworkLookup({
    byIndex: () => [asStored(aNetwork({ spec: { chain } }))],
    onChange: () => () => undefined,
  });
  expect(lookup.find('u')?.participants).toBe(4);
});

it('tells the profile that a network began with', () => {
  const incarnation = { number: 0, members: {}, profile: 'real', revision: 0 } as const;
  const network = aNetwork({ spec: { chain: { type: 'Base', base: {} } }, status: { incarnation } });
  const lookup = createNetworkLookup({ byIndex: () => [asStored(network)], onChange: () => () => undefined });
  expect(lookup.find('u')?.profile).toBe('real');
});

describe('wake', () => {
  async function setUp() {
    const kube = createFakeKube();
    const network = await kube.create(networkType, aNetwork());
    const { uid, name, namespace } = network.metadata;
    const state = 'Stopped' as const;
    const view = {
      uid,
      name,
      namespace,
      type: 'Ethereum',
      state,
      isDeleting: false,
      accessEpochs: firstEpochs,
    } as const;
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
