import type { OperationId } from '../operations/operations.ts';
import { aDeployBody } from '../testing/builders.ts';
import { address, at, issuesOf, pathsOf, withArgs } from '../testing/deployBodies.ts';

test.each<[string, OperationId, object]>([
  ['CCT fresh, locked', 'deployCctLockRelease', aDeployBody({ liquidity: 5, initial_supply: '1' })],
  ['CCT fresh, burned', 'deployCctBurnMint', aDeployBody({ recipient: address, initial_supply: '1' })],
  ['CCT with an empty recipient', 'deployCctBurnMint', aDeployBody({ recipient: '' })],
  ['CCT that wraps, locked', 'deployCctLockRelease', withArgs({ underlying_token_address: address })],
  ['CCT that wraps, burned', 'deployCctBurnMint', withArgs({ underlying_token_address: address })],
  ['CCT with further networks', 'deployCctBurnMint', { ...aDeployBody(), networks: ['network-2'] }],
  [
    'CCT with further networks, locked',
    'deployCctLockRelease',
    { ...aDeployBody(), networks: ['network-2'] },
  ],
  ['CCT with further networks among the args', 'deployCctBurnMint', aDeployBody({ networks: ['network-2'] })],
  [
    'further networks of another standard, whatever they hold',
    'deployErc20',
    { ...aDeployBody(), networks: 1 },
  ],
  ['further networks among args of another standard', 'deployErc20', aDeployBody({ networks: 1 })],
  [
    'CCT that wraps with a recipient',
    'deployCctBurnMint',
    withArgs({ underlying_token_address: address, recipient: address }),
  ],
  [
    'CCT whose liquidity is the whole, beyond what a double can hold',
    'deployCctLockRelease',
    aDeployBody({ total_supply: `${10n ** 23n}`, liquidity: 1e23 }),
  ],
  [
    'CCT with liquidity beyond 2^53',
    'deployCctLockRelease',
    aDeployBody({ total_supply: `${10n ** 22n}`, liquidity: 1e21 }),
  ],
  [
    'CCT whose liquidity and initial supply are the whole',
    'deployCctLockRelease',
    aDeployBody({ liquidity: 999_999, initial_supply: '1' }),
  ],
  ['CCT of nothing yet', 'deployCctBurnMint', aDeployBody({ total_supply: '0' })],
])('accepts %s', (_reason, id, body) => {
  expect(pathsOf(id, body)).toEqual([]);
});

test.each<[string, OperationId, object, string[]]>([
  ['CCT fresh without total_supply', 'deployCctLockRelease', withArgs({}), [at('total_supply')]],
  [
    'CCT that wraps with fields of fresh mode',
    'deployCctLockRelease',
    aDeployBody({ underlying_token_address: address, liquidity: 1, initial_supply: '1' }),
    [at('initial_supply'), at('liquidity'), at('total_supply')],
  ],
  ['liquidity on burn-mint', 'deployCctBurnMint', aDeployBody({ liquidity: 1 }), [at('liquidity')]],
  [
    'recipient on lock-release',
    'deployCctLockRelease',
    aDeployBody({ recipient: address }),
    [at('recipient')],
  ],
  [
    'CCT with more at first than in all',
    'deployCctBurnMint',
    aDeployBody({ initial_supply: '1000001' }),
    [at('initial_supply')],
  ],
  [
    'more liquidity than there is',
    'deployCctLockRelease',
    aDeployBody({ liquidity: 1_000_000, initial_supply: '1' }),
    [at('liquidity')],
  ],
  ['a part of the smallest unit', 'deployCctLockRelease', aDeployBody({ liquidity: 0.5 }), [at('liquidity')]],
  ['less than no liquidity', 'deployCctLockRelease', aDeployBody({ liquidity: -1 }), [at('liquidity')]],
  ['liquidity as text', 'deployCctLockRelease', aDeployBody({ liquidity: '5' }), [at('liquidity')]],
  ['a recipient that is none', 'deployCctBurnMint', aDeployBody({ recipient: '0x1' }), [at('recipient')]],
  [
    'an underlying token that is none',
    'deployCctBurnMint',
    withArgs({ underlying_token_address: 'x' }),
    [at('underlying_token_address')],
  ],
  [
    'a further network twice',
    'deployCctBurnMint',
    { ...aDeployBody(), networks: ['a', 'b', 'a'] },
    ['networks[2]'],
  ],
  [
    'further networks that are not a list',
    'deployCctBurnMint',
    { ...aDeployBody(), networks: {} },
    ['networks'],
  ],
  [
    'further networks among the args that are not a list',
    'deployCctLockRelease',
    aDeployBody({ networks: 'a' }),
    [at('networks')],
  ],
  [
    'CCT that wraps with what lock-release does not take',
    'deployCctLockRelease',
    withArgs({ underlying_token_address: address, recipient: address }),
    [at('recipient')],
  ],
])('refuses %s', (_reason, id, body, paths) => {
  expect(pathsOf(id, body).sort()).toEqual([...paths].sort());
});

test.each<[string, OperationId, object, string, string]>([
  [
    'a missing supply in fresh mode',
    'deployCctBurnMint',
    withArgs({}),
    at('total_supply'),
    'required unless underlying_token_address is given',
  ],
  [
    'a field of fresh mode',
    'deployCctLockRelease',
    withArgs({ underlying_token_address: address, liquidity: 1 }),
    at('liquidity'),
    'remove it: an existing token is wrapped',
  ],
  [
    'liquidity on burn-mint',
    'deployCctBurnMint',
    aDeployBody({ liquidity: 1 }),
    at('liquidity'),
    'remove it: only lock-release takes it',
  ],
  [
    'recipient on lock-release',
    'deployCctLockRelease',
    aDeployBody({ recipient: address }),
    at('recipient'),
    'remove it: only burn-mint takes it',
  ],
])('%s is reported by field, with a remedy', (_reason, id, body, path, message) => {
  expect(issuesOf(id, body)).toEqual([{ path, message }]);
});
