import { networkType, tokenType } from '../../core/api/resources/resources.ts';
import type { DeploymentStatus } from '../../core/api/resources/tokenResource.ts';
import { aToken } from '../../core/api/testing/builders.ts';
import { createFakeKube, type FakeKube } from '../../core/kube/testing/fake/fake.ts';
import { compact } from '../../core/lib/compact.ts';
import { AppError } from '../../core/lib/errors.ts';
import type { Answer } from '../testing/harness.ts';
import { base, startTokenApi, type TokenApi, unknownId } from './testing/fixtures.ts';

const address = `0x${'a'.repeat(40)}`;
const supply = { total_supply: '7' };

let tokens: TokenApi<FakeKube>;
let first: string;
let second: string;
let id: string;
beforeEach(async () => {
  tokens = await startTokenApi(createFakeKube());
  first = await tokens.addNetwork('first');
  second = await tokens.addNetwork('second');
  id = (await tokens.deploy(first)).json.id;
});
afterEach(() => tokens.api.close());

const add = (networks: string[], args?: object, options: object = {}): Promise<Answer> =>
  tokens.ask(`/${id}/add-deployments`, { body: { networks, ...compact({ args }) }, ...options });
const entries = async () => (await tokens.stored(id))?.spec.deployments;
const read = async () => (await tokens.ask(`/${id}`)).json;

/** Sets the state of the deployment on the first network, and waits until REST shows it. */
async function setState(
  state: 'Deployed' | 'Deploying' | 'Error' | 'Lost',
  more: Partial<DeploymentStatus> = {},
): Promise<void> {
  const deployment = { network: 'first', networkID: first, state, tokenAddress: address };
  await tokens.setStatus(id, [{ ...deployment, observedNonce: 0, ...more }]);
  while ((await read()).deployments[0].token_address !== address);
}

test('deploys a token on further networks and keeps its existing deployments', async () => {
  const before = await read();
  const { status, json, headers } = await add([second], supply);
  expect(status).toBe(201);
  expect(headers.get('location')).toBe(`${base}/${id}`);
  expect(json.deployments[0]).toEqual(before.deployments[0]);
  expect(json.deployments[1]).toMatchObject({ network_id: second, token_address: '', args: supply });
  expect(await read()).toEqual(json);
  expect((await entries())?.[1]).toEqual({ network: 'second', networkID: second, args: supply, nonce: 1 });
});

test.each(['Deployed', 'Deploying'] as const)('where it is %s, it is not deployed again', async (state) => {
  await setState(state);
  const before = await entries();
  const { status, json } = await add([second, first], supply);
  expect([status, json.details]).toEqual([
    400,
    [{ path: 'networks[1]', message: expect.stringContaining('on this network') }],
  ]);
  expect(await entries()).toEqual(before);
});

test('where it is deployed and says what is missing, it is deployed again, once', async () => {
  const message = 'opens the lane: the chain was rolled back past its transaction';
  await setState('Deployed', { message });
  const { status } = await add([first]);
  expect(status).toBe(201);
  expect((await entries())?.[0]?.nonce).toBe(1);
  await setState('Deployed', { message: 'retrying', isRepaired: true, observedNonce: 1 });
  expect((await add([first])).status).toBe(400);
});

test('where the deployment has not started, it is not deployed again', async () => {
  const { status, json } = await add([first], supply);
  expect([status, json.details[0].path]).toEqual([400, 'networks[0]']);
});

test.each(['Error', 'Lost'] as const)(
  'where it is %s, it is deployed again, and nowhere else',
  async (state) => {
    await add([second], supply);
    await setState(state);
    const { status, json } = await add([first]);
    expect(status).toBe(201);
    expect(json.deployments[0]).toMatchObject({
      token_address: '',
      message: 'the deployment has not started yet',
    });
    expect(await entries()).toEqual([
      { network: 'first', networkID: first, args: { total_supply: '1000000' }, nonce: 2 },
      { network: 'second', networkID: second, args: supply, nonce: 1 },
    ]);
    // Until the operator has observed the nonce, one repetition is enough.
    expect((await add([first])).status).toBe(400);
    await setState('Error', { observedNonce: 2 });
    expect((await add([first], { total_supply: '8' })).json.deployments[0].args).toEqual({
      total_supply: '8',
    });
  },
);

test('a new network needs args; a network whose deployment failed keeps its args', async () => {
  await setState('Error');
  const { status, json } = await add([first, second]);
  expect([status, json.details]).toEqual([400, [{ path: 'args.total_supply', message: 'required' }]]);
});

test('a new network with the name of a deleted one is a different network', async () => {
  await setState('Deployed');
  const ref = { namespace: tokens.namespace, name: 'first' };
  await tokens.kube.delete(networkType, ref);
  const recreated = await tokens.addNetwork('first');
  expect((await add([recreated], supply)).json.deployments).toMatchObject([
    { network_id: recreated, token_address: '', args: supply },
  ]);
  expect((await entries())?.[0]).toMatchObject({ networkID: recreated, nonce: 1 });
});

test('all errors are reported together', async () => {
  const theirs = await tokens.addNetwork('theirs', { inNamespace: tokens.otherNamespace });
  const { status, json } = await add([unknownId, first, theirs, second], { total_supply: 'x', owner: 1 });
  expect(status).toBe(400);
  expect(json.details.map(({ path }: { path: string }) => path)).toEqual([
    'args.total_supply',
    'args.owner',
    'networks[0]',
    'networks[1]',
    'networks[2]',
  ]);
  const [, , unknown, , foreign] = json.details;
  expect(unknown.message).toBe(foreign.message);
});

test('a token can have at most 64 deployments', async () => {
  const ids = await Promise.all(Array.from({ length: 64 }, (_, index) => tokens.addNetwork(`n-${index}`)));
  const { status, json } = await add(ids, supply);
  expect([status, json.details]).toEqual([
    400,
    [{ path: 'networks', message: 'a token can have at most 64 deployments: use fewer networks' }],
  ]);
  expect((await add(ids.slice(1), supply)).json.deployments).toHaveLength(64);
});

test('two concurrent additions both succeed, each with its own nonce', async () => {
  const ids = await Promise.all(['a', 'b', 'c', 'd'].map((name) => tokens.addNetwork(name)));
  const answers = await Promise.all(ids.map((network) => add([network], supply)));
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  const nonces = (await entries())?.slice(1).map(({ nonce }) => nonce) ?? [];
  expect(new Set(nonces).size).toBe(4);
});

test('repeated with its Idempotency-Key, it is done once', async () => {
  const headers = { 'Idempotency-Key': 'again' };
  const answers = [await add([second], supply, { headers }), await add([second], supply, { headers })];
  expect(answers.map(({ status }) => status)).toEqual([201, 201]);
  expect(answers[0]?.json).toEqual(answers[1]?.json);
  expect(await entries()).toHaveLength(2);
});

test('repeated after the answer was lost, it finds the deployment already written', async () => {
  const headers = { 'Idempotency-Key': 'lost' };
  const error = new AppError('Unavailable', 'cut off');
  tokens.kube.failNext({ verb: 'replace', kind: 'Token', when: 'after', error });
  expect((await add([second], supply, { headers })).status).toBe(503);
  expect(await entries()).toHaveLength(2);
  const { status, json } = await add([second], supply, { headers });
  expect([status, json.deployments?.[1]?.args]).toEqual([201, supply]);
  expect((await entries())?.[1]?.nonce).toBe(1);
});

test.each([
  ['dan', 403, 'a member of the workspace'],
  ['ada', 403, "an administrator, because the owner's key would sign"],
  ['vic', 403, 'a viewer'],
  ['ben', 404, 'a user of another workspace'],
])('%s gets %i: %s', async (as, status) => {
  const answer = await tokens.ask(`/${id}/add-deployments`, {
    as,
    body: { networks: [second], args: supply },
  });
  expect(answer.status).toBe(status);
  expect(await entries()).toHaveLength(1);
});

test('only owners of the workspace can deploy a token without an owner, and their key signs', async () => {
  const token = aToken({ namespace: tokens.namespace, metadata: { labels: {} } });
  const { metadata } = await tokens.kube.create(tokenType, token);
  const body = { networks: [second], args: supply };
  const addAs = (as: string) => tokens.ask(`/${metadata.uid}/add-deployments`, { as, body });
  expect((await addAs('dan')).status).toBe(403);
  expect((await addAs('ada')).status).toBe(403);
  expect((await addAs('ann')).status).toBe(201);
});

test('a deleted token cannot be deployed further', async () => {
  const token = await tokens.stored(id);
  if (token) await tokens.kube.delete(tokenType, token.metadata);
  expect((await add([second], supply)).status).toBe(404);
});

test('the spec of an OFT is the default of the args of a further network, and what contradicts it is 400', async () => {
  const [first, second, third] = [
    await tokens.addNetwork('x1'),
    await tokens.addNetwork('x2'),
    await tokens.addNetwork('x3'),
  ];
  const endpoint = `0x${'12'.repeat(20)}`;
  const body = { spec: { layer_zero_endpoint: endpoint } };
  const { json } = await tokens.deploy(first, { standard: 'oft', args: {}, body });
  expect(json.deployments[0].args).toEqual({ total_supply: '1000000', layer_zero_endpoint: endpoint });
  const add = (network: string, args: object) =>
    tokens.ask(`/${json.id}/add-deployments`, { body: { networks: [network], args } });
  const added = await add(second, { total_supply: '1' });
  expect([added.status, added.json.deployments[1].args.layer_zero_endpoint]).toEqual([201, endpoint]);
  const refused = await add(third, { total_supply: '1', layer_zero_endpoint: `0x${'34'.repeat(20)}` });
  expect([refused.status, refused.json.details]).toEqual([
    400,
    [
      {
        path: 'args.layer_zero_endpoint',
        message: expect.stringContaining('differs from spec.layer_zero_endpoint'),
      },
    ],
  ]);
});
