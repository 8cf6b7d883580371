import { detailsOf } from '../rules/issues.ts';
import { aNetwork, aNetworkInput } from '../testing/builders.ts';
import { chainTypeNames, chainTypes } from './chainSpecs.ts';
import { networkCreateSchema, networkReplaceSchema, networkSchema } from './network.ts';

const ref = { name: 'hot-key' };
const ethereum = { privateKeyRef: ref };
const lz = (layerzero: object) => ({ chain: { type: 'LayerZero', layerzero } });
const member = (name: string) => ({ networkRef: { name } });

function withSpec(spec: unknown) {
  return { ...aNetworkInput(), spec };
}

function pathsOf(body: unknown): string[] {
  const parsed = networkCreateSchema.safeParse(body);
  return parsed.success ? [] : detailsOf(parsed.error).map((detail) => detail.path);
}

const minimal: Record<string, object> = {
  ethereum,
  layerzero: { networks: [member('a'), member('b')] },
};

test.each(chainTypeNames)('%s is accepted with only its own member', (type) => {
  const name = chainTypes[type].member;
  expect(pathsOf(withSpec({ chain: { type, [name]: minimal[name] ?? {} } }))).toEqual([]);
});

const full = {
  packageVersion: 'v1',
  chainID: '1337',
  blockTime: 12,
  gasLimit: 30_000_000,
  churnLimitQuotient: 65_536,
  ejectionBalance: 16_000_000_000,
  followDistance: 2048,
  minWithdrawalDelay: 256,
  shardCommitteePeriod: 256,
  validatorCount: 64,
  mnemonicRef: ref,
  privateKeyRef: ref,
  forking: { enabled: true, blockHeight: 'latest' },
  plugins: { chainlink: {}, uniswap: {}, graph: {}, vrf: { type: 'vrfv2plus' }, dfns: {} },
  participants: [{ elType: 'geth', elImage: 'a/b:c', elExtraArgs: '--x', clType: 'prysm', count: 2 }],
};

test.each([
  [
    'every field of Layer2Spec',
    withSpec({
      chain: {
        type: 'Base',
        base: {
          chainID: '1337',
          privateKeyRef: ref,
          forking: { enabled: true, sourceRef: ref },
          plugins: {},
          blockTime: 12,
          gasLimit: 30_000_000,
          mnemonicRef: ref,
        },
      },
    }),
  ],
  ['every field of EthereumSpec', withSpec({ chain: { type: 'Ethereum', ethereum: full } })],
  [
    'maintenance and persistence',
    withSpec({
      persistent: true,
      maintenanceRequest: { action: 'Resync', nonce: 3 },
      chain: { type: 'Ethereum', ethereum },
    }),
  ],
  ['the name in metadata', { metadata: { name: 'a' }, spec: aNetwork().spec }],
  ['the same name in both places', { name: 'a', metadata: { name: 'a' }, spec: aNetwork().spec }],
  [
    'the response of a GET',
    { ...aNetworkInput(), kind: 'Network', version: 'v1alpha', id: 'x', status: { state: 'Pending' } },
  ],
  ['connections of members', withSpec(lz({ ...minimal.layerzero, connections: [{ from: 'a', to: 'b' }] }))],
  [
    'Thorchain with all fields',
    withSpec({
      chain: {
        type: 'Thorchain',
        thorchain: { accountBalance: '1', bondAmount: '2', image: 'a:b', blockMaxBytes: 1, blockMaxGas: -1 },
      },
    }),
  ],
])('accepts %s', (_reason, body) => {
  expect(pathsOf(body)).toEqual([]);
});

test.each([
  ['nothing', {}, ['spec', 'name']],
  ['no body', null, ['']],
  ['no chain', withSpec({}), ['spec.chain']],
  ['no type', withSpec({ chain: {} }), ['spec.chain.type']],
  ['an unknown type', withSpec({ chain: { type: 'Bitcoin' } }), ['spec.chain.type']],
  ['no member', withSpec({ chain: { type: 'Ethereum' } }), ['spec.chain.ethereum']],
  ['two chain specs', withSpec({ chain: { type: 'Ethereum', ethereum, base: {} } }), ['spec.chain.base']],
  [
    'the member of another type',
    withSpec({ chain: { type: 'Ethereum', arbitrum: {} } }),
    ['spec.chain.ethereum', 'spec.chain.arbitrum'],
  ],
  [
    'Ethereum without its hot key',
    withSpec({ chain: { type: 'Ethereum', ethereum: {} } }),
    ['spec.chain.ethereum.privateKeyRef'],
  ],
  [
    'an unknown field',
    withSpec({ chain: { type: 'Ethereum', ethereum: { ...ethereum, gasPrice: 1 } } }),
    ['spec.chain.ethereum.gasPrice'],
  ],
  [
    'a number as text',
    withSpec({ chain: { type: 'Ethereum', ethereum: { ...ethereum, blockTime: '12' } } }),
    ['spec.chain.ethereum.blockTime'],
  ],
  [
    'a chain id with a sign',
    withSpec({ chain: { type: 'Base', base: { chainID: '-1' } } }),
    ['spec.chain.base.chainID'],
  ],
  [
    'a chain id that a double cannot hold',
    withSpec({ chain: { type: 'Base', base: { chainID: '9007199254740993' } } }),
    ['spec.chain.base.chainID'],
  ],
  [
    'a plugin that is unknown',
    withSpec({ chain: { type: 'Base', base: { plugins: { uniswap: {} } } } }),
    ['spec.chain.base.plugins.uniswap'],
  ],
  [
    'a wrong client, by its index',
    withSpec({
      chain: { type: 'Ethereum', ethereum: { ...ethereum, participants: [{ elType: 'parity' }] } },
    }),
    ['spec.chain.ethereum.participants[0].elType'],
  ],
  ['a name with a dot', { ...aNetworkInput(), name: 'a.b' }, ['name']],
  ['a name of 64 characters', { ...aNetworkInput(), name: 'a'.repeat(64) }, ['name']],
  ['two names', { ...aNetworkInput(), metadata: { name: 'other' } }, ['metadata.name']],
  ['no name', { spec: aNetwork().spec }, ['name']],
  ['an unknown top-level field', { ...aNetworkInput(), colour: 'red' }, ['colour']],
  [
    'a nonce below zero',
    withSpec({ ...aNetwork().spec, maintenanceRequest: { nonce: -1 } }),
    ['spec.maintenanceRequest.nonce'],
  ],
  ['a duration in days', withSpec({ ...aNetwork().spec, expiresAfter: '7d' }), ['spec.expiresAfter']],
  ['an idle time under a minute', withSpec({ ...aNetwork().spec, idleAfter: '59s' }), ['spec.idleAfter']],
  [
    'an expiry under two minutes',
    withSpec({ ...aNetwork().spec, expiresAfter: '1m59s' }),
    ['spec.expiresAfter'],
  ],
  [
    'several at once',
    withSpec({ persistent: 'yes', chain: { type: 'Ethereum', base: { x: 1 } } }),
    ['spec.persistent', 'spec.chain.base.x', 'spec.chain.ethereum', 'spec.chain.base'],
  ],
  [
    'LayerZero over one network',
    withSpec(lz({ networks: [member('a')] })),
    ['spec.chain.layerzero.networks'],
  ],
  [
    'a LayerZero member twice',
    withSpec(lz({ networks: [member('a'), member('a')] })),
    ['spec.chain.layerzero.networks[1].networkRef.name'],
  ],
  [
    'an endpoint id twice',
    withSpec(lz({ networks: [member('c'), { ...member('a'), eid: 7 }, { ...member('b'), eid: 7 }] })),
    ['spec.chain.layerzero.networks[2].eid'],
  ],
  [
    'a connection to a network that is not a member and to itself',
    withSpec(
      lz({
        ...minimal.layerzero,
        connections: [
          { from: 'a', to: 'c' },
          { from: 'b', to: 'b' },
        ],
      }),
    ),
    ['spec.chain.layerzero.connections[0].to', 'spec.chain.layerzero.connections[1].to'],
  ],
])('refuses %s', (_reason, body, paths) => {
  expect(pathsOf(body).sort()).toEqual([...paths].sort());
});

test('a replacement need not repeat the name', () => {
  expect(networkReplaceSchema.safeParse({ spec: aNetwork().spec }).success).toBe(true);
});

test('a response contains every field of the status', () => {
  const time = '2026-01-15T09:30:00Z';
  const answer = {
    kind: 'Network',
    version: 'v1alpha',
    id: 'x',
    name: 'a',
    metadata: { name: 'a', rev: 2, createdAt: time, updatedAt: time, ownerID: 'u' },
    spec: aNetwork().spec,
    status: {
      enclaveID: 'e',
      state: 'Operational',
      message: 'ready',
      execution: { output: 'o', currentStep: 4, totalSteps: 4 },
      chainSpecHash: 'h',
      observedMaintenanceNonce: 1,
      lastActivityAt: time,
      lastStoppedAt: time,
      lastWakeUpAt: time,
    },
  };
  expect(networkSchema.parse(answer)).toEqual(answer);
});
