import { networkType } from '../../core/api/resources/resources.ts';
import { aNetwork } from '../../core/api/testing/builders.ts';
import { type NetworkApi, spec, startNetworkApi } from '../testing/networkApi.ts';

const lasting = { ...spec, persistent: true };
const resync = { action: 'Resync', nonce: 1 };
const fork = {
  chain: { type: 'Ethereum', ethereum: { privateKeyRef: { name: 'hot-key' }, forking: { enabled: true } } },
};

let api: NetworkApi;
beforeEach(async () => {
  api = await startNetworkApi();
});
afterEach(() => api.close());

const post = (name: string, wanted: object, more: object = {}) =>
  api.request('/v1alpha/networks', { body: { name, spec: wanted }, ...more });

describe('the quota of persistent networks', () => {
  beforeEach(async () => {
    for (const name of ['a', 'b', 'c']) await api.create(name, { spec: lasting });
  });

  it('refuses one more, naming the numbers, the networks and the remedy, and creates nothing', async () => {
    const { status, json } = await post('d', lasting);
    expect(status).toBe(400);
    expect(json.details).toEqual([
      {
        path: 'spec.persistent',
        message: expect.stringMatching(/^3 of 3 persistent networks .* in use: a, b, c; delete one, set/),
      },
    ]);
    expect(await api.stored('d')).toBeUndefined();
  });

  it('does not affect networks that are not persistent, nor other workspaces', async () => {
    expect((await post('d', spec)).status).toBe(201);
    expect((await post('d', lasting, { as: 'ben' })).status).toBe(201);
  });

  it('refuses to make a network persistent, but not to change one that is', async () => {
    const { id } = await api.create('d');
    expect((await api.put(id, { spec: lasting })).json.details).toMatchObject([{ path: 'spec.persistent' }]);
    const [{ id: kept }] = (await api.request('/v1alpha/networks')).json.items;
    const chain = { type: 'Ethereum', ethereum: { ...spec.chain.ethereum, blockTime: 2 } };
    expect((await api.put(kept, { spec: { ...lasting, chain } })).status).toBe(200);
  });

  it('has room again once a network is no longer persistent, or deleted', async () => {
    const [first, second] = (await api.request('/v1alpha/networks')).json.items;
    await api.put(first.id, { spec });
    expect((await post('d', lasting)).status).toBe(201);
    await api.remove(second.id);
    expect((await post('e', lasting)).status).toBe(201);
    expect((await post('f', lasting)).status).toBe(400);
  });

  it('does not refuse a repetition of the request that used the last place', async () => {
    const [{ id }] = (await api.request('/v1alpha/networks')).json.items;
    await api.remove(id);
    const headers = { 'Idempotency-Key': 'last-place' };
    const first = await post('d', lasting, { headers });
    expect((await post('d', lasting, { headers })).json.id).toBe(first.json.id);
  });
});

describe('extra arguments that a client may not have', () => {
  const withArgs = (elExtraArgs: string) => ({
    chain: {
      type: 'Ethereum',
      ethereum: { ...spec.chain.ethereum, participants: [{}, { elType: 'besu', elExtraArgs }] },
    },
  });
  const detail = {
    path: 'spec.chain.ethereum.participants[1].elExtraArgs',
    message: expect.stringMatching(/^"--logging" takes one of OFF, .*, not "INFO; id #"$/),
  };

  it('are 400, with the participant, the flag and what it takes, and nothing is stored', async () => {
    const { status, json } = await post('d', withArgs("--logging='INFO; id #'"));
    expect(status).toBe(400);
    expect(json.details).toContainEqual(detail);
    expect(await api.stored('d')).toBeUndefined();
  });

  it('are 400 in the replacement of a network too', async () => {
    const { id } = await api.create('d');
    const { status, json } = await api.put(id, { spec: withArgs('--logging="INFO; id #"') });
    expect(status).toBe(400);
    expect(json.details).toContainEqual(detail);
  });
});

describe('a fork from a source of the workspace', () => {
  const url = 'https://node.example/THE-KEY';
  const forkOf = (sourceRef?: object) => ({
    chain: {
      type: 'Ethereum',
      ethereum: { ...spec.chain.ethereum, forking: { enabled: true, ...(sourceRef ? { sourceRef } : {}) } },
    },
  });
  const own = forkOf({ name: 'source' });
  const path = 'spec.chain.ethereum.forking.sourceRef';
  let allowing: NetworkApi;
  beforeEach(async () => {
    allowing = await startNetworkApi({ ownSources: { allowedHosts: ['.node.example', 'node.example'] } });
  });
  afterEach(() => allowing.close());

  const addSecret = (type: string, text: string, to = allowing) =>
    to.request('/v1alpha/secrets', {
      body: { name: 'source', type, data: Buffer.from(text).toString('base64') },
    });
  const create = (wanted: object = own) =>
    allowing.request('/v1alpha/networks', { body: { name: 'a', spec: wanted } });

  it('is accepted with a URL at an allowed host, and the stored network names the Secret alone', async () => {
    await addSecret('rpc-url', url);
    const { status, text } = await create();
    expect(status).toBe(201);
    expect(`${text} ${JSON.stringify(await allowing.stored('a'))}`).not.toContain('THE-KEY');
  });

  it('needs no source of the installation for its chain type', async () => {
    await addSecret('rpc-url', url);
    const forking = { enabled: true, sourceRef: { name: 'source' } };
    const { status } = await create({ chain: { type: 'Base', base: { forking } } });
    expect(status).toBe(201);
    const { json } = await create({ chain: { type: 'Base', base: { forking: { enabled: true } } } });
    expect(json.details).toMatchObject([{ path: 'spec.chain.base.forking' }]);
  });

  it('is 400 where the installation allows none, with the remedy', async () => {
    await addSecret('rpc-url', url, api);
    const { status, json } = await post('a', own);
    const message = expect.stringMatching(/does not allow own fork sources: omit sourceRef/);
    expect([status, json.details]).toEqual([400, [{ path, message }]]);
  });

  it.each([
    ['a Secret that does not exist', undefined, url, 'secret "source" does not exist in this workspace'],
    ['a Secret of another type', 'note', url, 'is of type "note": use one of type rpc-url'],
    ['a host that is not allowed', 'rpc-url', 'https://evil.example/THE-KEY', 'allowedHosts: .node.example'],
    ['http', 'rpc-url', 'http://node.example/THE-KEY', 'https:// URL'],
  ])('is 400 with %s, without the URL', async (_case, type, text, expected) => {
    if (type) await addSecret(type, text);
    const { status, json, text: answer } = await create();
    expect([status, json.details]).toEqual([400, [{ path, message: expect.stringContaining(expected) }]]);
    expect(answer).not.toMatch(/THE-KEY|evil/);
    expect(await allowing.stored('a')).toBeUndefined();
  });

  it('is 400 with the Secret of another workspace', async () => {
    const data = Buffer.from(url).toString('base64');
    await allowing.request('/v1alpha/secrets', {
      body: { name: 'source', type: 'rpc-url', data },
      as: 'ben',
    });
    expect((await create()).status).toBe(400);
  });

  it('is checked when a network is replaced, and not of one that forks nothing or names no source', async () => {
    expect((await create(forkOf())).status).toBe(201);
    const [{ id }] = (await allowing.request('/v1alpha/networks')).json.items;
    expect((await allowing.put(id, { spec: own })).json.details).toMatchObject([{ path }]);
    await addSecret('rpc-url', url);
    expect((await allowing.put(id, { spec: own })).status).toBe(200);
  });
});

describe('Resync', () => {
  it('of a network that is not a fork is 400, on create and on replace', async () => {
    const wanted = { ...spec, maintenanceRequest: resync };
    const { id } = await api.create('a');
    for (const { status, json } of [await post('b', wanted), await api.put(id, { spec: wanted })]) {
      expect(status).toBe(400);
      expect(json.details).toEqual([
        { path: 'spec.maintenanceRequest.action', message: expect.stringContaining('use ResetState') },
      ]);
    }
    expect((await api.stored('a'))?.spec).not.toHaveProperty('maintenanceRequest');
  });

  it('of a fork is accepted', async () => {
    expect((await post('a', { ...fork, maintenanceRequest: resync })).status).toBe(201);
  });

  it('set by kubectl does not prevent sending back the spec that was read', async () => {
    const created = api.kube.seed(
      networkType,
      aNetwork({
        name: 'a',
        namespace: 'ws-one',
        spec: { maintenanceRequest: { action: 'Resync', nonce: 1 } },
      }),
    );
    const id = String(created.metadata.uid);
    const { json } = await api.request(`/v1alpha/networks/${id}`);
    expect((await api.put(id, json)).status).toBe(200);
  });
});

describe('spec.idleAfter and spec.expiresAfter', () => {
  it.each([
    ['idleAfter', '169h', '169h is too long: this installation allows 168 h at most (idle.maxAfter)'],
    ['expiresAfter', '25h', '25h is too long: this installation allows 24 h at most (expiry.maxAfter)'],
  ])(
    '%s over the limit of the installation is 400, on create and on replace',
    async (field, text, message) => {
      const wanted = { ...spec, [field]: text };
      const { id } = await api.create('a');
      for (const { status, json } of [await post('b', wanted), await api.put(id, { spec: wanted })]) {
        expect([status, json.details]).toEqual([400, [{ path: `spec.${field}`, message }]]);
      }
    },
  );

  it('an expiry that is over already is 400 on replace', async () => {
    const old = aNetwork({ name: 'old', namespace: 'ws-one' });
    const metadata = { ...old.metadata, creationTimestamp: '2020-01-01T00:00:00Z' };
    const { uid } = api.kube.seed(networkType, { ...old, metadata }).metadata;
    const { status, json } = await api.put(uid, { spec: { ...spec, expiresAfter: '2m' } });
    expect([status, json.details]).toEqual([
      400,
      [{ path: 'spec.expiresAfter', message: expect.stringMatching(/^ended at/) }],
    ]);
  });

  it('within the limits are stored', async () => {
    const wanted = { ...spec, idleAfter: '30m', expiresAfter: '24h' };
    expect((await post('a', wanted)).json.spec).toMatchObject({ idleAfter: '30m', expiresAfter: '24h' });
  });
});

describe('what could never run', () => {
  const ethereum = (more: object) => ({
    chain: { type: 'Ethereum', ethereum: { ...spec.chain.ethereum, ...more } },
  });
  const base = (more: object) => ({ chain: { type: 'Base', base: more } });

  it.each([
    [
      'a fork without a source',
      base({ forking: { enabled: true } }),
      {
        path: 'spec.chain.base.forking',
        message: expect.stringMatching(/no fork source for Base: .*omit forking/),
      },
    ],
    [
      "the chain id of Ethereum's mainnet",
      ethereum({ chainID: '1' }),
      { path: 'spec.chain.ethereum.chainID', message: expect.stringMatching(/only a fork.*or omit it/) },
    ],
    [
      'the chain id of another public network',
      base({ chainID: '8453' }),
      { path: 'spec.chain.base.chainID', message: expect.stringMatching(/only a fork.*or omit it/) },
    ],
  ])('%s is 400 with the remedy, on create and on replace', async (_what, wanted, detail) => {
    const created = await post('a', wanted);
    expect([created.status, created.json.details]).toEqual([400, [detail]]);
    expect(await api.stored('a')).toBeUndefined();
    const first = { chain: 'base' in wanted.chain ? { type: 'Base', base: {} } : spec.chain };
    const { id } = await api.create('b', { spec: first });
    const replaced = await api.put(id, { spec: wanted });
    expect([replaced.status, replaced.json.details]).toEqual([400, [detail]]);
  });

  it('a fork may have the chain id of what it forks', async () => {
    const { status } = await post('a', ethereum({ chainID: '1', forking: { enabled: true } }));
    expect(status).toBe(201);
  });

  it('a fork whose source was taken away can still be changed', async () => {
    const wanted = { chain: { type: 'Base', base: { forking: { enabled: true } } } } as const;
    const { metadata } = api.kube.seed(
      networkType,
      aNetwork({ name: 'a', namespace: 'ws-one', spec: wanted }),
    );
    const { status } = await api.put(String(metadata.uid), { spec: { ...wanted, persistent: true } });
    expect(status).toBe(200);
  });
});

describe('consensus fields without participants', () => {
  const ethereum = (more: object) => ({
    spec: { chain: { type: 'Ethereum', ethereum: { ...spec.chain.ethereum, ...more } } },
  });
  const fields = { validatorCount: 64, followDistance: 10 };
  const caveat =
    /^299 - "followDistance, validatorCount have no effect without spec.chain.ethereum.participants/;

  it('are accepted with a Warning, on create and on replace', async () => {
    const created = await post('a', ethereum(fields).spec);
    expect([created.status, created.headers.get('warning')]).toEqual([201, expect.stringMatching(caveat)]);
    const { id } = await api.create('b');
    const replaced = await api.put(id, ethereum(fields));
    expect([replaced.status, replaced.headers.get('warning')]).toEqual([200, expect.stringMatching(caveat)]);
    expect((await api.put(id, ethereum({ ...fields, blockTime: 2 }))).headers.get('warning')).toBeNull();
  });

  it('bring no Warning to a spec without them', async () => {
    await createHotKey();
    expect((await post('a', ethereum({ blockTime: 2 }).spec)).headers.get('warning')).toBeNull();
  });
});

describe('a secret that is not there', () => {
  const missing = '299 - "there is no secret \\"hot-key\\" in this workspace: create it"';

  it('is warned of, and neither in a check nor once it is there', async () => {
    const body = { name: 'a', spec };
    const dry = await api.request('/v1alpha/networks', { body, headers: { 'X-Dry-Run': 'true' } });
    expect([dry.status, dry.headers.get('warning')]).toEqual([201, null]);
    const { status, headers } = await post('a', spec);
    expect([status, headers.get('warning')]).toEqual([201, missing]);
    await createHotKey();
    expect((await post('b', spec)).headers.get('warning')).toBeNull();
  });

  it('is warned of where a change names it', async () => {
    const { id } = await api.create('a');
    const named = (name: string) => ({ chain: { type: 'Ethereum', ethereum: { privateKeyRef: { name } } } });
    expect((await api.put(id, { spec: { ...spec, persistent: true } })).headers.get('warning')).toBeNull();
    expect((await api.put(id, { spec: named('other') })).headers.get('warning')).toContain('other');
  });
});

/** The secret that `spec` names. */
async function createHotKey(): Promise<void> {
  const data = Buffer.alloc(32, 1).toString('base64');
  const body = { name: 'hot-key', type: 'ethereum-private-key', data };
  expect((await api.request('/v1alpha/secrets', { body })).status).toBe(201);
}
