import { networkType } from '../../core/api/resources/resources.ts';
import { aNetwork } from '../../core/api/testing/builders.ts';
import { chainMembersOf } from '../../core/networks/chainChange.ts';
import { type NetworkApi, spec, startNetworkApi, unknownId } from '../testing/networkApi.ts';

const runningStatus = {
  state: 'Operational',
  chainID: '778',
  enclaveID: 'e-1',
  storage: 'Pod',
  incarnation: {
    number: 0,
    members: chainMembersOf({
      chain: { type: 'Ethereum', ethereum: { privateKeyRef: { name: 'hot-key' } } },
    }),
    revision: 0,
    startedAt: '2030-01-01T00:00:00Z',
  },
};

let api: NetworkApi;
beforeEach(async () => {
  api = await startNetworkApi();
});
afterEach(() => api.close());

describe('replace', () => {
  const changed = { ...spec, persistent: true };

  it('replaces the whole spec and increments the revision', async () => {
    const { id } = await api.create('a', { spec: { ...spec, persistent: true } });
    const { status, headers, json } = await api.put(id, { spec });
    expect(status).toBe(200);
    expect(json).toMatchObject({ id, name: 'a', metadata: { rev: 2 }, spec });
    expect(json.spec).not.toHaveProperty('persistent');
    expect(headers.get('etag')).toBe('"2"');
    expect((await api.request(`/v1alpha/networks/${id}`)).json.metadata.rev).toBe(2);
  });

  it('warns that the running chain ends, and of nothing that the engine takes over', async () => {
    const { id } = await api.create('a');
    await api.kube.patch(
      networkType,
      { namespace: 'ws-one', name: 'a' },
      { status: runningStatus },
      'status',
    );
    const put = async (ethereum: object) => {
      const chain = { ...spec.chain, ethereum: { ...spec.chain.ethereum, ...ethereum } };
      const { status, headers } = await api.put(id, { spec: { chain } });
      expect(status).toBe(200);
      return headers.get('warning');
    };
    expect(await put({ blockTime: 2 })).toBeNull();
    expect(await put({ chainID: '779' })).toBe(
      '299 - "spec.chain.ethereum.chainID starts a new chain: the running chain and its data are deleted"',
    );
    expect(await put({ chainID: '778' })).toBeNull();
  });

  it('accepts the body of a GET, and the same spec changes nothing', async () => {
    const { id } = await api.create('a');
    const { json } = await api.request(`/v1alpha/networks/${id}`);
    const answer = await api.put(id, json);
    expect(answer.json).toMatchObject({ metadata: { rev: 1 }, spec });
    expect((await api.stored('a'))?.metadata.annotations).toBeUndefined();
  });

  it('keeps metadata set by others', async () => {
    const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': '{}', mine: 'yes' };
    const metadata = { annotations, finalizers: ['slipway.dev/operator'] };
    const { metadata: created } = api.kube.seed(
      networkType,
      aNetwork({ name: 'a', namespace: 'ws-one', metadata }),
    );
    expect((await api.put(String(created.uid), { spec: changed })).status).toBe(200);
    const after = await api.stored('a');
    expect(after?.metadata).toMatchObject({ annotations, finalizers: ['slipway.dev/operator'] });
  });

  it.each([
    ['metadata.rev', (rev: number) => ({ body: { metadata: { rev } }, headers: {} })],
    ['If-Match', (rev: number) => ({ body: {}, headers: { 'If-Match': `"${rev}"` } })],
  ])('with a revision by %s, only succeeds on that revision', async (_name, give) => {
    const { id } = await api.create('a');
    const right = give(1);
    expect((await api.put(id, { spec: changed, ...right.body }, right.headers)).status).toBe(200);
    const late = await api.put(id, { spec, ...right.body }, right.headers);
    expect(late.status).toBe(409);
    expect(late.json).toMatchObject({
      reason: 'Conflict',
      message: expect.stringContaining('revision is now 2'),
    });
  });

  it.each([
    ['metadata.rev', { body: { metadata: { rev: 1 } }, headers: {} }],
    ['If-Match', { body: {}, headers: { 'If-Match': '"1"' } }],
  ])('with a revision by %s, repeated after its answer was lost, succeeds as before', async (_name, give) => {
    const { id } = await api.create('a');
    const put = () => api.put(id, { spec: changed, ...give.body }, give.headers);
    const [first, again] = [await put(), await put()];
    expect([first.status, again.status, again.json.metadata.rev]).toEqual([200, 200, 2]);
    await api.put(id, { spec });
    await api.put(id, { spec: changed });
    expect((await put()).status).toBe(409);
  });

  it('a deletion, which compares no revisions, is refused with one', async () => {
    const { id } = await api.create('a');
    const remove = (headers: Record<string, string>) =>
      api.request(`/v1alpha/networks/${id}`, { method: 'DELETE', headers });
    const refused = await remove({ 'If-Match': '"999"' });
    expect([refused.status, refused.json.message]).toEqual([400, expect.stringContaining('leave it out')]);
    expect((await remove({ 'If-Match': '*' })).status).toBe(200);
  });

  it('20 writers on one revision: one wins, the others get a conflict', async () => {
    const { id } = await api.create('a');
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async (_, i) => {
        const body = {
          metadata: { rev: 1 },
          spec: { ...spec, maintenanceRequest: { action: 'Restart', nonce: i + 1 } },
        };
        return (await api.put(id, body)).status;
      }),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(19);
    expect((await api.stored('a'))?.metadata.generation).toBe(2);
  });

  it('succeeds while the operator writes the status', async () => {
    const { id } = await api.create('a');
    let writes = 0;
    const end = api.kube.intercept(async ({ verb, subresource }) => {
      if (verb !== 'replace' || subresource || writes === 3) return;
      writes += 1;
      await api.kube.patch(
        networkType,
        { namespace: 'ws-one', name: 'a' },
        { status: { message: `${writes}` } },
        'status',
      );
    });
    expect((await api.put(id, { spec: changed })).status).toBe(200);
    end();
    expect(await api.stored('a')).toMatchObject({ spec: changed, status: { message: '3' } });
  });

  it.each([
    ['another chain type', { spec: { chain: { type: 'Base', base: {} } } }, ['spec.chain.type']],
    ['another name', { name: 'b', spec }, ['name']],
    ['another name in metadata', { metadata: { name: 'b' }, spec }, ['metadata.name']],
    ['another id', { id: unknownId, spec }, ['id']],
    ['no spec', { name: 'a' }, ['spec']],
    ['half a spec', { spec: { chain: { type: 'Ethereum' } } }, ['spec.chain.ethereum']],
  ])('%s is 400', async (_reason, body, paths) => {
    const { id } = await api.create('a');
    const { status, json } = await api.put(id, body);
    expect(status).toBe(400);
    expect(json.details.map(({ path }: { path: string }) => path)).toEqual(paths);
    expect(json.message).toContain(`: ${paths[0]}: ${json.details[0].message}`);
  });

  it('of another workspace is 404', async () => {
    const { id } = await api.create('a');
    const answer = await api.request(`/v1alpha/networks/${id}`, { method: 'PUT', body: { spec }, as: 'ben' });
    expect(answer.status).toBe(404);
  });

  it('of a network that is being deleted is 409', async () => {
    const metadata = { finalizers: ['slipway.dev/operator'] };
    const { metadata: created } = api.kube.seed(
      networkType,
      aNetwork({ name: 'a', namespace: 'ws-one', metadata }),
    );
    await api.remove(String(created.uid));
    expect((await api.put(String(created.uid), { spec: changed })).status).toBe(409);
  });
});
