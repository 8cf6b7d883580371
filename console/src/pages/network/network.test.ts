import { currencyOf } from '../../../../sdk/src/currency.ts';
import type { Network, NetworkStatus } from '../../../../sdk/src/generated/types.ts';
import { endpointsOf, logServices, masked } from './endpoints.ts';
import { idleOf } from './idle.ts';
import { createLogLines } from './logs/logLines.ts';
import { toolSnippets } from './tools.ts';

function aNetwork(status: NetworkStatus, spec: Partial<Network['spec']> = {}): Network {
  return {
    kind: 'Network',
    version: 'v1alpha',
    id: 'n',
    name: 'my-net',
    metadata: { name: 'my-net' },
    spec: { chain: { type: 'Ethereum' }, ...spec },
    status,
  };
}

const key = 'k'.repeat(43);
const url = (service: string) => `https://slipway.example/rpc/id/${key}/${service}`;

test('the access key is in no text that is shown', () => {
  expect(masked(url('rpc'))).toBe('https://slipway.example/rpc/id/••••••••/rpc');
});

test.each([
  ['Ethereum', ['Foundry', 'Hardhat', 'viem', 'ethers', 'curl', 'Wallet']],
  ['Solana', ['Solana CLI', 'Anchor', 'Kit', 'web3.js', 'curl']],
  ['Thorchain', ['curl']],
  ['LayerZero', []],
])('%s has beginnings for its tools, whose keys are copied and not shown', (type, tools) => {
  const endpoints = { rpc: url('rpc'), ws: url('ws'), rest: url('rest') };
  const snippets = toolSnippets(aNetwork({ endpoints, chainID: '42' }, { chain: { type } }));
  expect(snippets.map(({ name }) => name)).toEqual(tools);
  expect(snippets.filter(({ text, shown }) => !text.includes(key) || shown.includes(key))).toEqual([]);
});

test.each([
  ['Ethereum', { name: 'Ether', symbol: 'ETH' }],
  ['Polygon', { name: 'POL', symbol: 'POL' }],
  ['BNB', { name: 'BNB', symbol: 'BNB' }],
  ['Avalanche', { name: 'Avalanche', symbol: 'AVAX' }],
  ['Newer', { name: 'Ether', symbol: 'ETH' }],
])(
  'accounts of %s pay with its currency, or with ether where the type is not known',
  (type, { name, symbol }) => {
    expect(currencyOf(type)).toEqual({ name, symbol, decimals: 18 });
  },
);

test('the currency of a chain is in the beginnings that ask for one', () => {
  const network = aNetwork({ endpoints: { rpc: url('rpc') }, chainID: '42' }, { chain: { type: 'Polygon' } });
  const texts = new Map(toolSnippets(network).map(({ name, text }) => [name, text]));
  expect(texts.get('viem')).toContain("nativeCurrency: { name: 'POL', symbol: 'POL', decimals: 18 },");
  expect(texts.get('Wallet')).toContain('Currency symbol: POL');
});

test('endpoints come in the order of their use', () => {
  const endpoints = { 'admin-ws': '4', 'cl-1': '6', admin: '3', 'el-1': '5', ws: '2', rpc: '1' };
  const network = aNetwork({ endpoints });
  expect(endpointsOf(network).map(([name]) => name)).toEqual([
    'rpc',
    'ws',
    'admin',
    'admin-ws',
    'cl-1',
    'el-1',
  ]);
  expect(logServices(network)).toEqual(['cl-1', 'el-1']);
});

describe('when it stops', () => {
  const now = Date.parse('2030-01-01T12:00:00Z');
  const running = {
    state: 'Operational',
    lastWakeUpAt: '2030-01-01T10:00:00Z',
    lastActivityAt: '2030-01-01T11:50:00Z',
  };
  const dayMs = 86_400_000;

  test.each([
    ['a persistent one never does', aNetwork(running, { persistent: true }), 'never'],
    ['a stopped one does not', aNetwork({ state: 'Stopped' }, { idleAfter: '30m' }), 'notRunning'],
    ["by the installation's time after its last wake-up", aNetwork(running), { inMs: dayMs - 7_200_000 }],
    ['after its last use', aNetwork(running, { idleAfter: '30m' }), { inMs: 20 * 60_000 }],
    ['at once when the time is over', aNetwork(running, { idleAfter: '5m' }), { inMs: 0 }],
  ])('%s', (_what, network, expected) => {
    expect(idleOf(network, now, dayMs)).toEqual(expected);
  });

  test('nothing is said while the time of the installation is not known', () => {
    expect(idleOf(aNetwork(running), now, undefined)).toBe('unknown');
  });
});

describe('log lines', () => {
  test('the oldest make room', () => {
    const lines = createLogLines(3);
    lines.add(['a', 'b']);
    lines.add(['c', 'd']);
    expect(lines.matching('').map(({ text }) => text)).toEqual(['b', 'c', 'd']);
    expect(new Set(lines.matching('').map(({ key: id }) => id)).size).toBe(3);
  });

  test('colours of terminals are left out', () => {
    const lines = createLogLines(3);
    lines.add(['\u001b[32mINFO\u001b[0m started']);
    expect(lines.matching('info').map(({ text }) => text)).toEqual(['INFO started']);
    expect(lines.matching('stopped')).toEqual([]);
  });
});

it('the access key in the host name of a service is masked as well', () => {
  const url = `http://dfns-${'a1'.repeat(16)}-${'a2'.repeat(10)}.services.example/v1`;
  expect(masked(url)).toBe(`http://dfns-${'a1'.repeat(16)}-••••••••.services.example/v1`);
});
