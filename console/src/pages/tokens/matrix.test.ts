import type { Deployment, Token } from '../../../../sdk/src/generated/types.ts';
import { canRetry, filterTokens, networksOf, summaryOf } from './matrix.ts';

function on(network: string, state: string): Deployment {
  const token_address = state === 'Deployed' ? '0xa' : '';
  return { id: network, token_id: 't', network_id: network, token_address, state };
}

function aToken(symbol: string, deployments: Deployment[], more: Partial<Token> = {}): Token {
  return {
    id: symbol,
    user_id: 'u',
    name: `${symbol} coin`,
    symbol,
    decimals: 18,
    total_supply: '1',
    type: 'ERC20',
    deployments,
    created_at: '2030-01-01T00:00:00Z',
    ...more,
  };
}

test.each([
  [['Deployed', 'Error', 'Deploying'], 'Error', 1],
  [['Deployed', 'Lost', 'Pending'], 'Lost', 1],
  [['Deployed', 'Deploying', 'Pending'], 'Deploying', 1],
  [['Deployed', 'Deployed'], 'Deployed', 2],
  [[], 'Pending', 0],
])('of %j the state to look at is %s', (states, state, done) => {
  const token = aToken(
    'T',
    states.map((one, index) => on(String(index), one)),
  );
  expect(summaryOf(token)).toEqual({ done, all: states.length, state });
});

test('only what failed or was lost is retried', () => {
  const states = ['Pending', 'Deploying', 'Deployed', 'Lost', 'Error'];
  expect(states.filter((state) => canRetry(on('a', state)))).toEqual(['Lost', 'Error']);
});

test('the network with the most tokens is the first column', () => {
  const tokens = [aToken('A', [on('x', 'Deployed')]), aToken('B', [on('y', 'Error'), on('x', 'Pending')])];
  expect(networksOf(tokens)).toEqual(['x', 'y']);
});

test('tokens are found by symbol, name and selector, the newest first', () => {
  const tokens = [
    aToken('OLD', []),
    aToken('NEW', [], { created_at: '2031-01-01T00:00:00Z', metadata: { labels: { team: 'core' } } }),
    aToken('OFT', [], { type: 'OFT' }),
  ];
  const symbols = (search: object) => filterTokens(tokens, search).map(({ symbol }) => symbol);
  expect(symbols({})).toEqual(['NEW', 'OFT', 'OLD']);
  expect(symbols({ q: 'old c' })).toEqual(['OLD']);
  expect(symbols({ selector: 'type == OFT' })).toEqual(['OFT']);
  expect(symbols({ selector: 'metadata.labels.team == core' })).toEqual(['NEW']);
  expect(symbols({ selector: 'status.state == Deployed' })).toEqual([]);
});
