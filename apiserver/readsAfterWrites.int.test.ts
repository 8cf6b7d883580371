import { randomBytes } from 'node:crypto';
import { deployEndpoints } from '../core/api/rules/tokenArgs.ts';
import { testAddress } from '../core/api/testing/builders.ts';
import { neededArgsOf } from '../core/api/testing/deployBodies.ts';
import { merged } from '../core/lib/typed.ts';
import { features } from '../test/features.ts';
import { admin } from './testing/accountsApi.ts';
import { type Alternating, startAlternating, writing } from './testing/alternating.ts';
import { eventually } from './testing/eventually.ts';
import { createWalk, gone, type Item, there } from './testing/walk.ts';

let world: Alternating;
let chain: string;
beforeAll(async () => {
  world = await startAlternating();
  chain = (await world.scene.addNetwork('chain')).id;
});
const walk = createWalk(
  () => world,
  () => chain,
);
const { write, post, remove, read, statusAt, listed, idsAt, inList, shownAt, change, seen, seenBy } = walk;
afterAll(() => world.stop());

const v1 = '/v1alpha';
const transactions = '/transaction/v1alpha1/transaction';
const spec = { chain: { type: 'Ethereum', ethereum: { privateKeyRef: { name: 'hot-key' } } } };

const ofFeatures = features.flatMap(({ walks = {} }) => Object.entries(walks));

describe('what one replica acknowledged is in the next answer of the other', () => {
  it.each(ofFeatures)('%s', (_what, walkOf) => walkOf(walk));

  it.each(['first', 'again'])('secrets, created and deleted: %s', async () => {
    const path = `${v1}/secrets`;
    const body = { name: 'one', type: 'any', data: randomBytes(16).toString('base64') };
    const { id } = (await post('createSecret', path, body)).json;
    expect(await shownAt(`${path}/${id}`, path, id)).toEqual(there);
    await remove('deleteSecret', `${path}/${id}`);
    expect(await shownAt(`${path}/${id}`, path, id)).toEqual(gone);
  });

  it.each(['first', 'again'])('networks, created, changed and deleted: %s', async () => {
    const path = `${v1}/networks`;
    const { id } = (await post('createNetwork', path, { name: 'one', spec })).json;
    const own = `${path}/${id}`;
    expect(await shownAt(own, path, id)).toEqual(there);
    const labels = { step: 'two' };
    await write('replaceNetwork', own, { body: { spec, metadata: { labels } } });
    const [object, item] = await Promise.all([read(own), inList(path, id)]);
    expect([object.metadata.labels, item?.metadata]).toEqual([labels, expect.objectContaining({ labels })]);
    await remove('deleteNetwork', own);
    expect(await shownAt(own, path, id)).toEqual(gone);
  });

  it('what was asked of a network', async () => {
    const path = `${v1}/networks`;
    const { id } = (await post('createNetwork', path, { name: 'asked', spec })).json;
    const own = `${path}/${id}`;
    // The list first: reading the network itself wakes it.
    const stateAt = async () => [
      ((await inList(path, id))?.status as Item | undefined)?.state,
      (await read(own)).status.state,
    ];
    await write('stopNetwork', `${own}/stop`);
    expect(await stateAt()).toEqual(['Stopped', 'Stopped']);
    await write('wakeNetwork', `${own}/wake`);
    expect(await stateAt()).toEqual(['Operational', 'Operational']);
    const { json } = await post('rotateNetworkKeys', `${own}/rotate-keys`);
    expect((await read(own)).status.endpoints).toEqual(json.status.endpoints);
  });

  it('snapshots, and networks that go back to them', async () => {
    const network = `${v1}/networks/${chain}`;
    const [ofNetwork, all] = [`${network}/snapshots`, `${v1}/snapshots`];
    const take = async (name: string): Promise<string> => {
      const { id } = (await post('createNetworkSnapshot', ofNetwork, { name })).json;
      expect(await shownAt(`${ofNetwork}/${id}`, ofNetwork, id)).toEqual(there);
      expect(await shownAt(`${all}/${id}`, all, id)).toEqual(there);
      return id;
    };
    const [second, third] = [await take('a'), await take('b')];
    await write('deleteNetworkSnapshot', `${ofNetwork}/${second}`);
    expect(await shownAt(`${ofNetwork}/${second}`, ofNetwork, second)).toEqual(gone);
    await write('deleteSnapshot', `${all}/${third}`);
    expect(await shownAt(`${all}/${third}`, all, third)).toEqual(gone);
    const { id } = (await post('createNetwork', `${v1}/networks`, { name: 'reverted', spec })).json;
    await eventually(
      () => read(`${v1}/networks/${id}`),
      ({ status }) => status.state === 'Operational',
    );
    const own = (await post('createNetworkSnapshot', `${v1}/networks/${id}/snapshots`, { name: 'own' })).json
      .id;
    await write('revertNetwork', `${v1}/networks/${id}/snapshots/${own}/revert`);
    expect((await read(`${v1}/networks/${id}`)).spec.from).toEqual({ snapshot: 'own' });
  });

  it.each(deployEndpoints)('tokens and their deployments: $operationId', async (endpoint) => {
    const path = `${transactions}/token`;
    const args = { total_supply: '1000000', ...neededArgsOf(endpoint.type) };
    const other = (
      await post('createNetwork', `${v1}/networks`, { name: `for-${randomBytes(4).toString('hex')}`, spec })
    ).json.id;
    const body = { name: 'Example', symbol: 'EXM', deployments: [{ network_id: chain, args }] };
    const { id } = (await post(endpoint.operationId, `${path}/${endpoint.path}/deploy`, body)).json;
    const own = `${path}/${id}`;
    expect(await shownAt(own, path, id)).toEqual(there);
    const deployed = async () => {
      const { items } = await read(`${own}/deployments`);
      const single = await statusAt(`${own}/deployments/${other}`);
      return [single, items.some((item: { network_id: string }) => item.network_id === other)];
    };
    await post('addDeployments', `${own}/add-deployments`, { networks: [other], args });
    expect(await deployed()).toEqual(there);
    await remove('deleteDeployment', `${own}/deployments/${other}`);
    expect(await deployed()).toEqual(gone);
    await remove('deleteToken', own);
    expect(await shownAt(own, path, id)).toEqual(gone);
  });

  it('transactions, submitted', async () => {
    const path = `${transactions}/submissions`;
    const shown = async (hash: string) => {
      const [status, items] = await Promise.all([statusAt(`${path}/${hash}`), listed(path)]);
      return [status, items.some(({ hash: own }) => own === hash)];
    };
    for (let index = 0; index < 6; index += 1) {
      const item = { to: testAddress, value: '1', data: '0x', gas_limit: 21_000 };
      const body = { transactions_by_network: { [chain]: [item] } };
      const { json } = await post('submitTransactions', `${transactions}/submit`, body);
      expect(await shown(json.tx_hashes_by_network[chain][0])).toEqual(there);
    }
  });

  it('recordings, started, stopped and deleted', async () => {
    const path = `${transactions}/recording`;
    const started = { userAddress: testAddress, networkIds: [chain] };
    const { recordingId: id } = (await post('startRecording', `${path}/start`, started)).json;
    const stateAt = async () => [
      (await read(`${path}/${id}`)).state,
      (await inList(`${path}/list-all`, id))?.state,
    ];
    expect(await stateAt()).toEqual(['recording', 'recording']);
    expect(await idsAt(`${path}/active/${testAddress}`)).toEqual([id]);
    await post('stopRecording', `${path}/stop`, { recordingId: id });
    expect(await stateAt()).toEqual(['recorded', 'recorded']);
    expect(await idsAt(`${path}/active/${testAddress}`)).toEqual([]);
    await remove('deleteRecording', `${path}/${id}`);
    expect(await shownAt(`${path}/${id}`, `${path}/list-all`, id)).toEqual(gone);
  });

  it('workspaces, created, changed and deleted', async () => {
    const { id } = (await change('createWorkspace', '/workspaces', { name: 'first' })).json;
    const shown = async () => {
      const { status, json } = await seenBy(admin, `/workspaces/${id}`);
      return [status, json.name, (await seen('/workspaces')).find((one) => one.id === id)?.name];
    };
    expect(await shown()).toEqual([200, 'first', 'first']);
    await change('replaceWorkspace', `/workspaces/${id}`, { name: 'second' });
    expect(await shown()).toEqual([200, 'second', 'second']);
    await change('deleteWorkspace', `/workspaces/${id}`);
    expect(await shown()).toEqual([404, undefined, undefined]);
  });

  it('API keys, created, used and revoked', async () => {
    const path = '/workspaces/default/api-keys';
    const { id, token } = (await change('createApiKey', path, { name: 'ci', role: 'developer' })).json;
    const shown = async () => [
      (await seenBy(token, '/me')).status,
      (await seen(path)).some((one) => one.id === id),
    ];
    expect(await shown()).toEqual(there);
    await change('deleteApiKey', `${path}/${id}`);
    expect(await shown()).toEqual([401, false]);
  });

  it('invitations and members', async () => {
    const [path, members] = ['/workspaces/default/invitations', '/workspaces/default/memberships'];
    const invite = async (email: string) =>
      (await change('createInvitation', path, { email, role: 'developer' })).json;
    const stateAt = async (id: string) => (await seen(path)).find((one) => one.id === id)?.state;
    const revoked = await invite('gone@example.com');
    expect(await stateAt(revoked.id)).toBe('Pending');
    await change('deleteInvitation', `${path}/${revoked.id}`);
    expect(await stateAt(revoked.id)).toBe('Revoked');
    const { token } = await invite('dev@example.com');
    const { apiKey } = (await change('acceptInvitation', '/invitations/accept', { token }, null)).json;
    const member = `${members}/${apiKey.userID}`;
    const roleAt = async () => {
      const { status, json } = await seenBy(apiKey.token, '/me');
      return [status, json.role, (await seen(members)).find(({ userID }) => userID === apiKey.userID)?.role];
    };
    expect(await roleAt()).toEqual([200, 'developer', 'developer']);
    await change('replaceMembership', member, { role: 'viewer' });
    expect(await roleAt()).toEqual([200, 'viewer', 'viewer']);
    await change('deleteMembership', member);
    expect(await roleAt()).toEqual([404, undefined, undefined]);
  });
});

/** What they store is in no cache, or they are one of the operations above. */
const others: Readonly<Record<string, string>> = {
  replayRecording: 'sends submissions',
  resendInvitation: 'needs a mail server, and changes what is read live',
  ...merged(features.map(({ notWalked = {} }) => notWalked)),
};

it('every operation that writes was walked, or says why it need not be', () => {
  expect(writing.filter((id) => !world.walked.has(id)).toSorted()).toEqual(Object.keys(others).toSorted());
});
