import type { Deployment, Network, Token } from '../../../../sdk/src/generated/types.ts';
import { layerZeroWiring, reachOf, tokenWiring } from './wiring.ts';

function deployment(network: string, more: Partial<Deployment> = {}): Deployment {
  return {
    id: network,
    token_id: 't',
    network_id: network,
    token_address: '0xa',
    state: 'Deployed',
    ...more,
  };
}

function token(...deployments: Deployment[]): Token {
  return {
    id: 't',
    user_id: 'u',
    name: 'T',
    symbol: 'T',
    decimals: 18,
    total_supply: '1',
    type: 'CCT',
    deployments,
  };
}

const nameOf = (id: string) => `name-of-${id}`;

test('two contracts are connected when both are deployed and neither waits for the other', () => {
  const { nodes, edges } = tokenWiring(
    token(
      deployment('a', { extra_addresses: { pool: '0xb', router: '0xc' } }),
      deployment('b'),
      deployment('c', { state: 'Deploying', token_address: '' }),
      deployment('d', { message: 'waiting to be connected to name-of-a' }),
    ),
    nameOf,
  );
  expect(nodes[0]).toEqual({
    id: 'a',
    name: 'name-of-a',
    state: 'Deployed',
    facts: [{ name: 'pool', value: '0xb' }],
  });
  expect(edges.map(({ from, to, isConnected }) => `${from}${to} ${isConnected}`)).toEqual([
    ...['ab true', 'ac false', 'ad false', 'bc false', 'bd true', 'cd false'],
  ]);
});

function layerZero(connections?: { from: string; to: string }[]): Network {
  const networks = ['a', 'b', 'c'].map((name) => ({ networkRef: { name } }));
  return {
    kind: 'Network',
    version: 'v1alpha',
    id: 'lz',
    name: 'lz',
    metadata: { name: 'lz' },
    spec: { chain: { type: 'LayerZero', layerzero: { networks, ...(connections ? { connections } : {}) } } },
    status: { state: 'Operational', layerzero: { members: [], wired: 'x' } },
  };
}

test('a LayerZero network without connections connects all with all', () => {
  const { edges } = layerZeroWiring(layerZero());
  expect(edges.map(({ from, to }) => from + to)).toEqual(['ab', 'ac', 'bc']);
});

test('connections in both directions are one edge, those in one direction end there', () => {
  const data = layerZeroWiring(
    layerZero([
      { from: 'a', to: 'b' },
      { from: 'b', to: 'a' },
      { from: 'c', to: 'a' },
    ]),
  );
  expect(data.edges.map(({ from, to, isOneWay }) => [from + to, isOneWay])).toEqual([
    ['ab', false],
    ['ca', true],
  ]);
  expect([reachOf('a', data), reachOf('c', data)]).toEqual([
    { connected: ['b'], open: [] },
    { connected: ['a'], open: [] },
  ]);
});
