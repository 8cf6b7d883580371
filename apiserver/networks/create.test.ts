import type { Offer } from '../../core/engines/engineSet.ts';
import { aSetOf, changingEngines } from '../../core/engines/testing/engineSets.ts';
import { type NetworkApi, spec, startNetworkApi } from '../testing/networkApi.ts';

const engines = changingEngines(aSetOf({ 'evm-dev': {} }));
let api: NetworkApi;
beforeEach(async () => {
  engines.become(aSetOf({ 'evm-dev': {}, service: {} }));
  api = await startNetworkApi({ engines });
});
afterEach(() => api.close());

describe('create', () => {
  it('answers immediately with state Pending, location and revision, and stores the spec', async () => {
    const { status, headers, json } = await api.request('/network/v1alpha/networks', {
      body: { name: 'a', spec },
    });
    expect(status).toBe(201);
    expect(json).toMatchObject({
      kind: 'Network',
      version: 'v1alpha',
      name: 'a',
      ownerID: 'ann',
      metadata: { name: 'a', rev: 1, ownerID: 'ann', workspace: 'one' },
      spec,
      status: { state: 'Pending' },
    });
    expect(json.metadata.updatedAt).toBe(json.metadata.createdAt);
    expect(headers.get('location')).toBe(`/network/v1alpha/networks/${json.id}`);
    expect(headers.get('etag')).toBe('"1"');
    const stored = await api.stored('a');
    expect(stored).toMatchObject({ metadata: { generation: 1 }, spec });
    expect(json.id).not.toBe(stored?.metadata.uid);
    expect(stored?.metadata.labels).toEqual({
      'slipway.dev/id': json.id,
      'slipway.dev/owner': 'ann',
      'slipway.dev/workspace': 'one',
    });
  });

  it('is in the next list', async () => {
    await api.create('a');
    const { json } = await api.request('/v1alpha/networks');
    expect(json).toMatchObject({
      kind: 'NetworkList',
      version: 'v1alpha',
      metadata: {},
      items: [{ name: 'a' }],
    });
  });

  it.each([
    ['at the top', { name: 'a', spec }, 201],
    ['in metadata', { metadata: { name: 'a' }, spec }, 201],
    ['in both, the same', { name: 'a', metadata: { name: 'a' }, spec }, 201],
    ['in both, different', { name: 'a', metadata: { name: 'b' }, spec }, 400],
    ['nowhere', { spec }, 400],
  ])('the name may be given %s', async (_reason, body, status) => {
    const answer = await api.request('/v1alpha/networks', { body });
    expect(answer.status).toBe(status);
    if (status === 400) expect(answer.json.details[0].path).toMatch(/name$/);
  });

  it('a name that is in use is 409, but free in another workspace', async () => {
    await api.create('a');
    const taken = await api.request('/v1alpha/networks', { body: { name: 'a', spec } });
    expect(taken.status).toBe(409);
    expect(taken.json).toMatchObject({ reason: 'Conflict', details: [{ path: 'name' }] });
    expect((await api.request('/v1alpha/networks', { body: { name: 'a', spec }, as: 'ben' })).status).toBe(
      201,
    );
  });

  it.each([
    ['a chain type', { chain: { type: 'Solana', solana: {} } }, 'spec.chain.type'],
    [
      'a plugin',
      { chain: { type: 'Ethereum', ethereum: { privateKeyRef: { name: 'k' }, plugins: { graph: {} } } } },
      'spec.chain.ethereum.plugins.graph',
    ],
    [
      'participants',
      {
        chain: { type: 'Ethereum', ethereum: { privateKeyRef: { name: 'k' }, participants: [{ count: 1 }] } },
      },
      'spec.chain.ethereum.participants[0].elType',
    ],
    ['Thorchain', { chain: { type: 'Thorchain', thorchain: {} } }, 'spec.chain.type'],
    [
      'a plugin of a kind',
      {
        chain: {
          type: 'Ethereum',
          ethereum: { privateKeyRef: { name: 'k' }, plugins: { vrf: { type: 'mpc' } } },
        },
      },
      'spec.chain.ethereum.plugins.vrf.type',
    ],
  ])(
    '%s that is not available yet is 400, with what is missing and the remedy',
    async (_reason, wanted, path) => {
      const { status, json } = await api.request('/v1alpha/networks', { body: { name: 'a', spec: wanted } });
      expect(status).toBe(400);
      expect(json.details[0].path).toBe(path);
      expect(json.details[0].message).toMatch(
        /^needs engines\.\S+.*, which this installation lacks: set engines\.\S+ .*in the chart, or run "make engines ENGINES=/,
      );
    },
  );

  it.each<[string, Offer]>([
    ['can be built is accepted', { state: 'Buildable', takes: 'about 3 minutes' }],
    [
      'is being built is accepted',
      { state: 'Building', takes: 'about 3 minutes', since: '2030-01-02T03:04:05Z' },
    ],
    [
      'could not be built, and is tried again, is accepted',
      { state: 'Failed', takes: 'about 3 minutes', since: '2030-01-02T03:04:05Z', reason: 'no space' },
    ],
  ])('what needs an engine that %s', async (_reason, offer) => {
    engines.become({ ...aSetOf({ 'evm-dev': {} }), offers: { thornode: offer } });
    const body = { name: 'a', spec: { chain: { type: 'Thorchain', thorchain: {} } } };
    expect((await api.request('/v1alpha/networks', { body })).status).toBe(201);
  });
});
