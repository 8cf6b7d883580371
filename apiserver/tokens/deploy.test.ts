import { labels } from '../../core/api/names.ts';
import { networkType, tokenType } from '../../core/api/resources/resources.ts';
import { tokenSchema } from '../../core/api/rest/token.ts';
import { aDeployBody, testAddress } from '../../core/api/testing/builders.ts';
import { createFakeKube, type FakeKube } from '../../core/kube/testing/fake/fake.ts';
import { compact } from '../../core/lib/compact.ts';
import { eventually } from '../testing/eventually.ts';
import { neededArgs, standards } from './testing/argRows.ts';
import { base, startTokenApi, type TokenApi, unknownId } from './testing/fixtures.ts';

let tokens: TokenApi<FakeKube>;
beforeEach(async () => {
  tokens = await startTokenApi(createFakeKube());
});
afterEach(() => tokens.api.close());

const entry = (network_id: string, args: object = { total_supply: '5' }) => ({ network_id, args });
const storedTokens = async () => (await tokens.kube.list(tokenType)).items;

test('a deployment is answered immediately with all known fields', async () => {
  const ids = [await tokens.addNetwork('one'), await tokens.addNetwork('two')];
  const deployments = [entry(ids[0] ?? '', { total_supply: '5', owner: testAddress }), entry(ids[1] ?? '')];
  const body = { name: 'Größte Münze', symbol: 'G$', decimals: 6, deployments, spec: { mintable: true } };
  const { status, json, headers } = await tokens.deploy('', { body });
  expect(status).toBe(201);
  expect(tokenSchema.parse(json)).toEqual(json);
  expect(json).toMatchObject({
    kind: 'Token',
    version: 'v1alpha1',
    user_id: 'ann',
    type: 'ERC20',
    total_supply: '5',
    name: 'Größte Münze',
    symbol: 'G$',
    decimals: 6,
    spec: { mintable: true },
    created_at: expect.any(String),
  });
  expect(json.deployments).toEqual(
    deployments.map(({ network_id, args }) => ({
      id: expect.any(String),
      token_id: json.id,
      network_id,
      token_address: '',
      args,
      state: 'Pending',
      message: 'the deployment has not started yet',
    })),
  );
  expect(headers.get('warning')).toContain(
    'spec.mintable: stored with the token, without an effect on its contracts',
  );
  expect(headers.get('location')).toBe(`${base}/${json.id}`);
  expect((await tokens.ask(`/${json.id}`)).json).toEqual(json);

  const stored = await tokens.stored(json.id);
  expect(stored?.metadata).toMatchObject({
    namespace: tokens.namespace,
    name: expect.stringMatching(/^g-[0-9a-f]{10}$/),
    labels: { [labels.owner]: 'ann', [labels.workspace]: 'one' },
  });
  expect(stored?.spec.deployments).toEqual([
    { network: 'one', networkID: ids[0], args: deployments[0]?.args },
    { network: 'two', networkID: ids[1], args: { total_supply: '5' } },
  ]);
  expect(tokens.api.audits.at(-1)).toMatchObject({
    objects: `token ${stored?.metadata.name} (${json.id})`,
  });
});

test.each(standards)('%s has its own endpoint', async (standard) => {
  const network = await tokens.addNetwork('one');
  const { status, json } = await tokens.deploy(network, { standard, args: neededArgs[standard] });
  const [type, mechanism] = standard.split('/');
  expect([status, json.type, json.mechanism]).toEqual([201, type?.toUpperCase(), mechanism]);
  expect(json.decimals).toBe(18);
  expect((await tokens.stored(json.id))?.spec).toMatchObject({
    type: json.type,
    ...compact({ mechanism }),
  });
});

test('further networks of burn-mint use the args of the first deployment', async () => {
  const ids = await Promise.all(['a', 'b', 'c'].map((name) => tokens.addNetwork(name)));
  const body = { deployments: [entry(ids[0] ?? '', { total_supply: '9', recipient: '' })], networks: ids };
  const { status, json } = await tokens.deploy('', { standard: 'cct/burn-mint', body });
  expect(status).toBe(201);
  expect(json.deployments.map(({ network_id }: { network_id: string }) => network_id)).toEqual(ids);
  for (const { args } of json.deployments) expect(args).toEqual({ total_supply: '9', recipient: '' });
});

test('further networks among the args of a deployment use its args', async () => {
  const ids = await Promise.all(['a', 'b', 'c', 'd'].map((name) => tokens.addNetwork(name)));
  const [a = '', b = '', c = '', d = ''] = ids;
  const deployments = [entry(a, { total_supply: '9' }), entry(b, { total_supply: '7', networks: [c, a] })];
  const body = { deployments, networks: [d] };
  const { status, json } = await tokens.deploy('', { standard: 'cct/lock-release', body });
  expect(status).toBe(201);
  const found = json.deployments.map((one: { network_id: string; args: object }) => [
    one.network_id,
    one.args,
  ]);
  expect(found).toEqual([
    [a, { total_supply: '9' }],
    [b, { total_supply: '7' }],
    [c, { total_supply: '7' }],
    [d, { total_supply: '9' }],
  ]);
});

test('adapter_parameters of an OFT are kept and answered', async () => {
  const args = { ...neededArgs.oft, adapter_parameters: { lz_fee: '1' } };
  const { json } = await tokens.deploy(await tokens.addNetwork('one'), { standard: 'oft', args });
  expect(json.deployments[0].args).toMatchObject(args);
});

test('two tokens may share name and symbol', async () => {
  const network = await tokens.addNetwork('one');
  const answers = [await tokens.deploy(network), await tokens.deploy(network)];
  expect(answers.map(({ status }) => status)).toEqual([201, 201]);
  expect(answers[0]?.json.name).toBe(answers[1]?.json.name);
  expect(answers[0]?.json.id).not.toBe(answers[1]?.json.id);
});

test.each([
  ['letters', 'ABC', 'abc-'],
  ['no characters valid in a label', '∑$', 'token-'],
  ['32 characters', 'X'.repeat(32), `${'x'.repeat(32)}-`],
  ['other characters between letters', '-a..b-', 'a-b-'],
])('a symbol with %s results in a valid resource name', async (_reason, symbol, begin) => {
  const { json } = await tokens.deploy(await tokens.addNetwork('one'), { body: { symbol } });
  expect(json.symbol).toBe(symbol);
  expect((await storedTokens())[0]?.metadata.name.startsWith(begin)).toBe(true);
});

test('a stopped network is woken', async () => {
  const id = await tokens.addNetwork('asleep');
  const ref = { namespace: tokens.namespace, name: 'asleep' };
  await tokens.kube.patch(networkType, ref, { status: { state: 'Stopped' } }, 'status');
  expect((await tokens.deploy(id)).status).toBe(201);
  const woken = await eventually(
    () => tokens.kube.get(networkType, ref),
    (network) => network?.metadata.annotations?.['slipway.dev/wake'] !== undefined,
  );
  expect(woken?.status?.state).toBe('Stopped');
});

test('repeated with its Idempotency-Key, one token is created', async () => {
  const network = await tokens.addNetwork('one');
  const headers = { 'Idempotency-Key': 'once' };
  const answers = [await tokens.deploy(network, { headers }), await tokens.deploy(network, { headers })];
  expect(answers.map(({ status }) => status)).toEqual([201, 201]);
  expect(answers[0]?.json).toEqual(answers[1]?.json);
  expect(await storedTokens()).toHaveLength(1);
  expect((await tokens.deploy(network, { headers, body: { name: 'Other' } })).status).toBe(409);
});

describe('refused without creating anything', () => {
  afterEach(async () => expect(await storedTokens()).toEqual([]));

  test('a network that does not exist, and one of another workspace, with the same message', async () => {
    const theirs = await tokens.addNetwork('theirs', { inNamespace: tokens.otherNamespace });
    const answers = await Promise.all([unknownId, theirs, 'x'].map((id) => tokens.deploy(id)));
    for (const { status, json } of answers) {
      expect([status, json.details]).toEqual([
        400,
        [
          {
            path: 'deployments[0].network_id',
            message: 'no network has this id: use the id of a network in this workspace',
          },
        ],
      ]);
      expect(json.message).toBe(answers[0]?.json.message);
    }
  });

  test.each([
    ['Thorchain', { type: 'Thorchain', thorchain: {} }],
    ['Solana', { type: 'Solana', solana: {} }],
    ['LayerZero', { type: 'LayerZero', layerzero: { networks: [] } }],
  ] as const)('a network of type %s', async (type, chain) => {
    const id = await tokens.addNetwork('other', { chain: chain as never });
    const { status, json } = await tokens.deploy(id);
    expect([status, json.details]).toEqual([
      400,
      [
        {
          path: 'deployments[0].network_id',
          message: `${type} networks do not support tokens: use EVM networks`,
        },
      ],
    ]);
  });

  test('every invalid network, wherever it is named', async () => {
    const good = await tokens.addNetwork('good');
    const body = {
      deployments: [entry(good), entry('x'), entry('y')],
      networks: [good, 'z'],
    };
    const { json } = await tokens.deploy('', { standard: 'cct/burn-mint', body });
    expect(json.details.map(({ path }: { path: string }) => path)).toEqual([
      'deployments[1].network_id',
      'deployments[2].network_id',
      'networks[1]',
    ]);
  });

  test('more networks than a token may have', async () => {
    const networks = Array.from({ length: 64 }, (_, index) => `n-${index}`);
    const body = { deployments: [entry('first')], networks };
    const { status, json } = await tokens.deploy('', { standard: 'cct/burn-mint', body });
    expect([status, json.details[0].path]).toEqual([400, 'networks']);
  });

  test('a network that is being deleted', async () => {
    const id = await tokens.addNetwork('leaving');
    const ref = { namespace: tokens.namespace, name: 'leaving' };
    await tokens.kube.patch(networkType, ref, { metadata: { finalizers: ['slipway.dev/operator'] } });
    await tokens.kube.delete(networkType, ref);
    const answer = await eventually(
      () => tokens.api.request(`/v1alpha/networks/${id}`, { method: 'DELETE' }),
      ({ status }) => status === 409,
    );
    expect(answer.status).toBe(409);
    const { json } = await tokens.deploy(id);
    expect(json.details).toEqual([
      { path: 'deployments[0].network_id', message: 'the network is being deleted: use another one' },
    ]);
  });

  test('a caller without a default key, with the remedy', async () => {
    const { status, json } = await tokens.deploy(await tokens.addNetwork('one'), { as: 'kay' });
    expect([status, json.message]).toEqual([400, expect.stringContaining('default-key')]);
  });

  test('a viewer', async () => {
    expect((await tokens.deploy(await tokens.addNetwork('one'), { as: 'vic' })).status).toBe(403);
  });

  test('an unknown standard', async () => {
    const answer = await tokens.api.request(`${base}/erc721/deploy`, { body: aDeployBody() });
    expect(answer.status).toBe(404);
  });
});
