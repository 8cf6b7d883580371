import { randomBytes } from 'node:crypto';
import { personalWorkspaceIdOf } from '../../core/accounts/ids.ts';
import { networkType, tokenType } from '../../core/api/resources/resources.ts';
import { namespaceType } from '../../core/kube/types.ts';
import { createTestKube } from '../../hack/testenv/testKube.ts';
import { eventually } from '../testing/eventually.ts';
import type { TestApi } from '../testing/harness.ts';
import { goodArgs, neededArgs } from './testing/argRows.ts';
import { base, startTokenApi, type TokenApi } from './testing/fixtures.ts';

const kube = createTestKube();
const suffix = `-${randomBytes(4).toString('hex')}`;
const supply = { total_supply: '7' };

let tokens: TokenApi<typeof kube>;
let replica: TestApi;
let first: string;
let second: string;
beforeAll(async () => {
  tokens = await startTokenApi(kube, suffix);
  replica = await tokens.replica();
  first = await tokens.addNetwork('first');
  second = await tokens.addNetwork('second');
});
afterAll(async () => {
  await Promise.all([tokens.api.close(), replica.close()]);
  const workspaceNamespaces = ['ann', 'ben', 'dan', 'ada', 'vic'].map(
    (name) => `slipway-${personalWorkspaceIdOf(`${name}${suffix}`)}`,
  );
  for (const name of [tokens.namespace, tokens.otherNamespace, ...workspaceNamespaces]) {
    await kube.delete(namespaceType, { name });
  }
  await kube.close();
});

/** Sends a request as ann to one of the replicas. */
const ask = (by: TestApi, path: string, options: object = {}) =>
  by.request(`${base}${path}`, { ...options, as: `ann${suffix}` });

test('both replicas show a token alike while it is deployed, extended, repaired and deleted', async () => {
  const { status, json } = await tokens.deploy(first, { body: { name: 'Größte Münze', symbol: '∑' } });
  expect(status).toBe(201);
  const { id } = json;
  for (const by of [tokens.api, replica]) expect((await ask(by, `/${id}`)).json).toEqual(json);
  expect((await ask(replica, '')).json.items).toEqual([json]);

  const deployment = { network: 'first', networkID: first, observedNonce: 0 };
  await tokens.setStatus(id, [{ ...deployment, state: 'Error', message: 'no funds' }]);
  await eventually(
    () => ask(replica, `/${id}/deployments/${first}`),
    ({ json }) => json.message === 'no funds',
  );
  await eventually(
    () => ask(tokens.api, `/${id}`),
    ({ json }) => json.deployments[0].message === 'no funds',
  );
  const body = { networks: [second, first], args: supply };
  const added = await ask(replica, `/${id}/add-deployments`, { body });
  expect([added.status, added.json.deployments.map(({ message }: { message: string }) => message)]).toEqual([
    201,
    ['the deployment has not started yet', 'the deployment has not started yet'],
  ]);
  const stored = await tokens.stored(id);
  expect(stored?.metadata.generation).toBe(2);
  expect(stored?.spec.deployments).toEqual([
    { network: 'first', networkID: first, args: supply, nonce: 1 },
    { network: 'second', networkID: second, args: supply, nonce: 1 },
  ]);

  const path = `/${id}/deployments/${first}`;
  expect((await ask(tokens.api, path, { method: 'DELETE' })).status).toBe(204);
  expect((await ask(tokens.api, path)).status).toBe(404);
  expect((await ask(replica, `/${id}`, { method: 'DELETE' })).status).toBe(204);
  expect((await ask(replica, `/${id}`)).status).toBe(404);
  expect((await ask(tokens.api, '')).json.items).toEqual([]);
  expect(await tokens.stored(id)).toBeUndefined();
  expect(await kube.get(networkType, { namespace: tokens.namespace, name: 'first' })).toBeDefined();
});

test.each(goodArgs)('the CRD accepts what REST accepts: %s for %s', async (_reason, standard, more) => {
  const args = { ...neededArgs[standard], ...more };
  const { status, json } = await tokens.deploy(first, { standard, args });
  expect([status, json.details]).toEqual([201, undefined]);
  const body = { networks: [second], args: { total_supply: '1000000', ...args } };
  const added = await ask(replica, `/${json.id}/add-deployments`, { body });
  expect([added.status, added.json.details]).toEqual([201, undefined]);
  expect((await tokens.stored(json.id))?.spec.deployments[1]?.args).toEqual(json.deployments[0].args);
  expect((await ask(tokens.api, `/${json.id}`, { method: 'DELETE' })).status).toBe(204);
});

test.each([
  ['emoji', { name: '🪙'.repeat(64), symbol: '🪙'.repeat(16) }],
  ['control characters', { name: 'a\u0000b\u001f', symbol: '\t' }],
  ['quotes and signs', { name: `'"&<>\\`, symbol: '%(x)s' }],
  ['a spec of any depth', { spec: { '': [null, { a: [1.5, 'x', true] }], 'a.b/c': {}, $ref: '#' } }],
])('a token accepts any text: %s', async (_reason, body) => {
  const { status, json } = await tokens.deploy(first, { body });
  expect([status, json.details]).toEqual([201, undefined]);
  for (const by of [tokens.api, replica]) expect((await ask(by, `/${json.id}`)).json).toMatchObject(body);
  expect((await ask(replica, `/${json.id}`, { method: 'DELETE' })).status).toBe(204);
});

test('tokens that one replica deploys and deletes are correct in the next list of the other, every time', async () => {
  const wrong: string[] = [];
  const isListed = async (by: TestApi, id: string) => {
    const { items } = (await ask(by, '?limit=500&type=ERC20')).json;
    return items.some((one: { id: string }) => one.id === id);
  };
  for (let index = 0; index < 100; index += 1) {
    const [writer, reader] = index % 2 === 0 ? [tokens.api, replica] : [replica, tokens.api];
    const deployments = [{ network_id: first, args: supply }];
    const sent = { name: 'Same', symbol: 'SAME', deployments };
    const { id } = (await ask(writer, '/erc20/deploy', { body: sent })).json;
    if (!(await isListed(reader, id))) wrong.push(`created ${index}`);
    await ask(writer, `/${id}`, { method: 'DELETE' });
    if (await isListed(reader, id)) wrong.push(`deleted ${index}`);
  }
  expect(wrong).toEqual([]);
});

test('concurrent additions on both replicas all succeed', async () => {
  const { id } = (await tokens.deploy(first)).json;
  const ids = await Promise.all(Array.from({ length: 12 }, (_, index) => tokens.addNetwork(`n-${index}`)));
  const statuses = await Promise.all(
    ids.map(async (network, index) => {
      const body = { networks: [network], args: supply };
      return (await ask(index % 2 ? tokens.api : replica, `/${id}/add-deployments`, { body })).status;
    }),
  );
  expect(new Set(statuses)).toEqual(new Set([201]));
  const nonces = (await tokens.stored(id))?.spec.deployments.slice(1).map(({ nonce }) => nonce);
  expect(nonces?.toSorted((a = 0, b = 0) => a - b)).toEqual(
    Array.from({ length: 12 }, (_, index) => index + 1),
  );
});

test('a token created with kubectl is shown with the changes made over REST', async () => {
  const spec = {
    name: 'K',
    symbol: 'K',
    type: 'OFT',
    decimals: 8,
    deployments: [{ network: 'second' }],
  } as const;
  const args = { total_supply: '5', layer_zero_endpoint: `0x${'1'.repeat(40)}` };
  const { metadata } = await kube.create(tokenType, {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'Token',
    metadata: { name: 'by-kubectl', namespace: tokens.namespace },
    spec: { ...spec, deployments: [{ network: 'second', args }] },
  });
  const path = `/${metadata.uid}`;
  const { json } = await ask(replica, path);
  expect(json).toMatchObject({ user_id: '', decimals: 8, deployments: [{ network_id: second, args }] });
  const added = await ask(replica, `${path}/add-deployments`, { body: { networks: [first], args } });
  expect(added.status).toBe(201);
  expect((await tokens.stored(metadata.uid))?.spec.deployments).toEqual([
    { network: 'second', args },
    { network: 'first', networkID: first, args, nonce: 1 },
  ]);
});
