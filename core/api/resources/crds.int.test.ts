import { testKubeconfig } from '../../../hack/testenv/testKube.ts';
import { aNetwork, aRecording, aSecret, aToken, testAddress } from '../testing/builders.ts';
import { type CrdHarness, createCrdHarness } from '../testing/crdHarness.ts';
import { zeroAddress } from '../values.ts';
import { chainTypeNames, chainTypes } from './chainSpecs.ts';
import type { KubeObject } from './kubeObject.ts';
import { type NetworkSpec, networkCreateSchema } from './network.ts';
import type { TokenSpec } from './tokenResource.ts';

let harness: CrdHarness;

beforeAll(async () => {
  harness = await createCrdHarness(testKubeconfig(), `crds-${process.pid}`);
});
afterAll(() => harness.kube.close());

/** Whether REST accepts the same network: both sides have the same rules. Undefined for other kinds. */
function isAcceptedByRest(object: KubeObject & { spec?: unknown }): boolean | undefined {
  if (object.kind !== 'Network') return undefined;
  return networkCreateSchema.safeParse({ name: object.metadata.name, spec: object.spec }).success;
}

const ref = { name: 'hot-key' };
const ethereum = { privateKeyRef: ref };
const member = (name: string) => ({ networkRef: { name } });
const minimal: Record<string, object> = {
  ethereum,
  layerzero: { networks: [member('a'), member('b')], connections: [{ from: 'a', to: 'b' }] },
};

/** Specs as a user may write them, including invalid ones. */
const network = (spec: object) => aNetwork({ spec: spec as NetworkSpec });
const ethereumWith = (fields: object) =>
  network({ chain: { type: 'Ethereum', ethereum: { ...ethereum, ...fields } } });
const token = (spec: object) => aToken({ spec: spec as Partial<TokenSpec> });
const cct = (mechanism: string, args: object) =>
  token({ type: 'CCT', mechanism, deployments: [{ network: 'n', args }] });

describe('accepted', () => {
  test.each(chainTypeNames)('a network of type %s', async (type) => {
    const name = chainTypes[type].member;
    const object = network({ chain: { type, [name]: minimal[name] ?? {} } });
    expect(isAcceptedByRest(object)).toBe(true);
    const answer = await harness.tryCreate(object);
    expect([answer.status, answer.body.message]).toEqual([201, undefined]);
  });

  test.each([
    ['a secret', aSecret()],
    ['an ERC20 token', aToken()],
    ['a CCT token, locked', cct('lock-release', { total_supply: '10', liquidity: 2 })],
    [
      'a CCT token with much liquidity',
      cct('lock-release', { total_supply: `${10n ** 22n}`, initial_supply: '9', liquidity: 1e21 }),
    ],
    ['a CCT token that wraps', cct('burn-mint', { underlying_token_address: testAddress })],
    ['a token with free settings', token({ spec: { mintable: true, nested: { deep: [1] } } })],
    ['a recording', aRecording()],
    [
      'forking, plugins, participants',
      ethereumWith({
        forking: { enabled: true, blockHeight: '1' },
        plugins: { vrf: { type: 'mpc' }, uniswap: {} },
        participants: [{ elType: 'geth', clType: 'prysm', count: 1 }],
      }),
    ],
    [
      'an idle time and an expiry',
      network({ chain: { type: 'Ethereum', ethereum }, idleAfter: '90s', expiresAfter: '1h30m' }),
    ],
    ['a name of 63 characters', aNetwork({ name: 'a'.repeat(63) })],
  ])('%s', async (_reason, object) => {
    const answer = await harness.tryCreate(object);
    expect([answer.status, answer.body.message]).toEqual([201, undefined]);
  });

  test('a token without decimals has 18', async () => {
    const { decimals: _none, ...spec } = aToken().spec;
    const answer = await harness.tryCreate({ ...aToken(), spec } as KubeObject);
    expect(answer.body.spec).toMatchObject({ decimals: 18 });
  });
});

describe('refused, with the path in the message', () => {
  test.each<[string, KubeObject, string[]]>([
    ['no spec', { ...aNetwork(), spec: undefined } as KubeObject, ['spec: Required']],
    [
      'an idle time under a minute',
      network({ chain: { type: 'Ethereum', ethereum }, idleAfter: '59s' }),
      ['spec.idleAfter', 'must be at least 1m'],
    ],
    [
      'an expiry under two minutes',
      network({ chain: { type: 'Ethereum', ethereum }, expiresAfter: '119s' }),
      ['spec.expiresAfter', 'must be at least 2m'],
    ],
    [
      'a duration in days',
      network({ chain: { type: 'Ethereum', ethereum }, expiresAfter: '7d' }),
      ['spec.expiresAfter'],
    ],
    ['no type', network({ chain: {} }), ['spec.chain.type: Required']],
    [
      'an unknown type',
      network({ chain: { type: 'Bitcoin' } }),
      ['spec.chain.type: Unsupported value: "Bitcoin"'],
    ],
    [
      'a missing member',
      network({ chain: { type: 'ZKSync' } }),
      ['spec.chain: Required value: spec.chain.zksync is required when spec.chain.type is ZKSync'],
    ],
    [
      'two chain specs',
      network({ chain: { type: 'Ethereum', ethereum, base: {} } }),
      ['spec.chain.base: Forbidden', 'only for spec.chain.type Base'],
    ],
    [
      'the member of another type',
      network({ chain: { type: 'Base', ethereum } }),
      ['spec.chain: Required value: spec.chain.base is required', 'spec.chain.ethereum: Forbidden'],
    ],
    [
      'no hot key',
      network({ chain: { type: 'Ethereum', ethereum: {} } }),
      ['spec.chain.ethereum.privateKeyRef: Required'],
    ],
    [
      'a number as text',
      ethereumWith({ blockTime: '12' }),
      ['spec.chain.ethereum.blockTime', 'must be of type integer'],
    ],
    [
      'a number out of bounds',
      ethereumWith({ blockTime: 0 }),
      ['spec.chain.ethereum.blockTime', 'greater than or equal to 1'],
    ],
    [
      'a chain id as a number',
      ethereumWith({ chainID: 1337 }),
      ['spec.chain.ethereum.chainID', 'must be of type string'],
    ],
    [
      'a chain id with a sign',
      ethereumWith({ chainID: '-1' }),
      ['spec.chain.ethereum.chainID', 'should match'],
    ],
    [
      'a chain id that a double cannot hold',
      ethereumWith({ chainID: '9007199254740993' }),
      ['spec.chain.ethereum.chainID', 'between 1 and 9007199254740991'],
    ],
    ['an unknown field', ethereumWith({ gasPrice: 1 }), ['unknown field "spec.chain.ethereum.gasPrice"']],
    [
      'an unknown plugin',
      ethereumWith({ plugins: { oracle: {} } }),
      ['unknown field "spec.chain.ethereum.plugins.oracle"'],
    ],
    [
      'a wrong client',
      ethereumWith({ participants: [{ elType: 'parity' }] }),
      ['spec.chain.ethereum.participants[0].elType: Unsupported value'],
    ],
    ['a name with a dot', aNetwork({ name: 'a.b' }), ['metadata.name: Invalid value: "a.b"']],
    ['a name of 64 characters', aNetwork({ name: 'a'.repeat(64) }), ['metadata.name: Too long']],
    ['a secret name with a dot', aSecret({ name: 'a.b' }), ['metadata.name: Invalid value']],
    [
      'a LayerZero member twice',
      network({ chain: { type: 'LayerZero', layerzero: { networks: [member('a'), member('a')] } } }),
      ['spec.chain.layerzero.networks: Duplicate value'],
    ],
    [
      'an endpoint id twice',
      network({
        chain: {
          type: 'LayerZero',
          layerzero: { networks: [member('c'), { ...member('a'), eid: 7 }, { ...member('b'), eid: 7 }] },
        },
      }),
      ['spec.chain.layerzero.networks: Duplicate value'],
    ],
    [
      'a connection to a network that is not a member',
      network({
        chain: {
          type: 'LayerZero',
          layerzero: { ...minimal.layerzero, connections: [{ from: 'a', to: 'z' }] },
        },
      }),
      ['spec.chain.layerzero.connections: Invalid value'],
    ],
    ['a secret without data', { ...aSecret(), spec: { type: 'x' } } as KubeObject, ['spec.data: Required']],
    ['a secret that is too large', aSecret({ spec: { data: 'A'.repeat(131_073) } }), ['spec.data: Too long']],
    [
      'ERC20 without its supply',
      token({ deployments: [{ network: 'n', args: {} }] }),
      ['spec.deployments', 'args.total_supply is required when spec.type is ERC20'],
    ],
    [
      'ERC3643 without a registry',
      token({ type: 'ERC3643' }),
      ['args.compliance_registry is required when spec.type is ERC3643'],
    ],
    [
      'OFT without an endpoint',
      token({ type: 'OFT' }),
      ['args.layer_zero_endpoint is required when spec.type is OFT'],
    ],
    ['CCT without a mechanism', token({ type: 'CCT' }), ['spec.mechanism: Required value']],
    ['ERC20 with a mechanism', token({ mechanism: 'burn-mint' }), ['spec.mechanism: Forbidden']],
    ['CCT fresh without its supply', cct('burn-mint', {}), ['args.total_supply is required unless']],
    [
      'CCT that wraps, with a supply',
      cct('burn-mint', { underlying_token_address: testAddress, total_supply: '1' }),
      ['args.total_supply must be omitted'],
    ],
    [
      'liquidity on burn-mint',
      cct('burn-mint', { total_supply: '1', liquidity: 1 }),
      ['args.liquidity is only for'],
    ],
    [
      'more initial supply than total supply',
      cct('burn-mint', { total_supply: '9', initial_supply: '10' }),
      ['args.initial_supply must not be more than total_supply'],
    ],
    [
      'ERC20 with a total supply of 0',
      token({ deployments: [{ network: 'n', args: { total_supply: '0' } }] }),
      ['args.total_supply must be more than 0'],
    ],
    [
      'a fraction of the smallest unit',
      cct('lock-release', { total_supply: '9', liquidity: 0.5 }),
      ['args.liquidity must be a whole number'],
    ],
    ['OFT with 5 decimals', token({ type: 'OFT', decimals: 5 }), ['spec.decimals must be 6 to 83']],
    ['ERC3643 with 19 decimals', token({ type: 'ERC3643', decimals: 19 }), ['spec.decimals must be 0 to 18']],
    [
      'recipient on lock-release',
      cct('lock-release', { total_supply: '1', recipient: testAddress }),
      ['args.recipient is only for'],
    ],
    [
      'the zero address as owner',
      token({ deployments: [{ network: 'n', args: { total_supply: '1', owner: zeroAddress } }] }),
      ['args.owner must not be the zero address'],
    ],
    [
      'the zero address as recipient',
      cct('burn-mint', { total_supply: '1', recipient: zeroAddress }),
      ['args.recipient must not be the zero address'],
    ],
    [
      'the zero address as recorded wallet',
      aRecording({ spec: { userAddress: zeroAddress } }),
      ['spec.userAddress must not be the zero address'],
    ],
    [
      'a network twice',
      token({ deployments: [...aToken().spec.deployments, ...aToken().spec.deployments] }),
      ['spec.deployments[1]: Duplicate value'],
    ],
    ['a recording without networks', aRecording({ spec: { networks: [] } }), ['spec.networks']],
    [
      'an invalid wallet address',
      aRecording({ spec: { userAddress: '0x1' } }),
      ['spec.userAddress', 'should match'],
    ],
    [
      'a network recorded twice',
      aRecording({ spec: { networks: ['a', 'a'] } }),
      ['spec.networks[1]: Duplicate value'],
    ],
  ])('%s', async (_reason, object, parts) => {
    expect(isAcceptedByRest(object)).not.toBe(true);
    const { status, body } = await harness.tryCreate(object);
    expect([400, 422]).toContain(status);
    for (const part of parts) expect(body.message).toContain(part);
  });
});
