import { aDeployBody } from './builders.ts';
import { detailsOf } from './issues.ts';
import { type BodyOf, type OperationId, operationOf, operations } from './operations.ts';
import { deploymentSchema } from './token.ts';
import { requiredArgs } from './tokenArgs.ts';
import { deploymentArgsSchema } from './tokenDeploy.ts';

const address = '0x5FbDB2315678afecb367f032d93F642f64180aa3';

function pathsOf(id: OperationId, body: unknown): string[] {
  const parsed = operationOf(id).body?.safeParse(body);
  if (!parsed) throw new Error(`${id} takes no body`);
  return parsed.success ? [] : detailsOf(parsed.error).map(({ path }) => path);
}

const at = (member: string) => `deployments[0].args.${member}`;
const without = (args: object) => ({
  ...aDeployBody(),
  deployments: [{ network_id: 'network-1', args }],
});
const erc3643 = { compliance_registry: address };
const oft = { layer_zero_endpoint: address };

test.each<[string, OperationId, object]>([
  ['ERC20 with its supply', 'deployErc20', aDeployBody()],
  ['ERC20 with all args', 'deployErc20', aDeployBody({ initial_supply: '10', owner: address })],
  [
    'ERC20 with decimals and spec',
    'deployErc20',
    { ...aDeployBody(), decimals: 6, spec: { mintable: true } },
  ],
  ['ERC3643 with an empty spec', 'deployErc3643', { ...aDeployBody(erc3643), spec: {} }],
  ['ERC3643 with all args', 'deployErc3643', aDeployBody({ ...erc3643, transfer_restrictions: true })],
  ['OFT with all args', 'deployOft', aDeployBody({ ...oft, adapter_parameters: { lz_fee: '1' } })],
  ['OFT with its spec', 'deployOft', { ...aDeployBody(oft), spec: oft }],
  ['CCT fresh, locked', 'deployCctLockRelease', aDeployBody({ liquidity: 5, initial_supply: '1' })],
  ['CCT fresh, burned', 'deployCctBurnMint', aDeployBody({ recipient: address, initial_supply: '1' })],
  ['CCT with an empty recipient', 'deployCctBurnMint', aDeployBody({ recipient: '' })],
  ['CCT that wraps, locked', 'deployCctLockRelease', without({ underlying_token_address: address })],
  ['CCT that wraps, burned', 'deployCctBurnMint', without({ underlying_token_address: address })],
  ['CCT with further networks', 'deployCctBurnMint', { ...aDeployBody(), networks: ['network-2'] }],
  ['ERC20 that mints all at once', 'deployErc20', aDeployBody({ initial_supply: '1000000' })],
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
  ['ERC3643 with 18 decimals', 'deployErc3643', { ...aDeployBody(erc3643), decimals: 18 }],
  [
    'ERC3643 without restrictions',
    'deployErc3643',
    aDeployBody({ ...erc3643, transfer_restrictions: false }),
  ],
  ['OFT with 6 decimals', 'deployOft', { ...aDeployBody(oft), decimals: 6 }],
  ['OFT without adapter_parameters', 'deployOft', aDeployBody(oft)],
  ['args of another standard, whatever they hold', 'deployErc20', aDeployBody({ compliance_registry: 1 })],
  ['further networks', 'addDeployments', { networks: ['a'], args: { total_supply: '1' } }],
])('accepts %s', (_reason, id, body) => {
  expect(pathsOf(id, body)).toEqual([]);
});

test.each<[string, OperationId, object, string[]]>([
  ['ERC20 without total_supply', 'deployErc20', without({}), [at('total_supply')]],
  [
    'ERC20 without args',
    'deployErc20',
    { ...aDeployBody(), deployments: [{ network_id: 'a' }] },
    ['deployments[0].args'],
  ],
  ['ERC3643 without both', 'deployErc3643', without({}), [at('compliance_registry'), at('total_supply')]],
  ['ERC3643 without a registry', 'deployErc3643', aDeployBody(), [at('compliance_registry')]],
  ['OFT without an endpoint', 'deployOft', aDeployBody(), [at('layer_zero_endpoint')]],
  ['OFT without total_supply', 'deployOft', without(oft), [at('total_supply')]],
  ['CCT fresh without total_supply', 'deployCctLockRelease', without({}), [at('total_supply')]],
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
  ['networks on lock-release', 'deployCctLockRelease', { ...aDeployBody(), networks: ['a'] }, ['networks']],
  ['an arg that nobody knows', 'deployErc20', aDeployBody({ totalSupply: '1' }), [at('totalSupply')]],
  ['a supply with a sign', 'deployErc20', aDeployBody({ total_supply: '-1' }), [at('total_supply')]],
  [
    'a supply beyond uint256',
    'deployErc20',
    aDeployBody({ total_supply: `${2n ** 256n}` }),
    [at('total_supply')],
  ],
  ['an owner that is none', 'deployErc20', aDeployBody({ owner: '0x1' }), [at('owner')]],
  [
    'more at first than in all',
    'deployErc20',
    aDeployBody({ initial_supply: '1000001' }),
    [at('initial_supply')],
  ],
  ['a supply of nothing', 'deployErc20', aDeployBody({ total_supply: '0' }), [at('total_supply')]],
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
    without({ underlying_token_address: 'x' }),
    [at('underlying_token_address')],
  ],
  [
    'CCT that wraps with a recipient',
    'deployCctBurnMint',
    without({ underlying_token_address: address, recipient: address }),
    [at('recipient')],
  ],
  [
    'ERC3643 with a registry that is none',
    'deployErc3643',
    aDeployBody({ compliance_registry: 'x' }),
    [at('compliance_registry')],
  ],
  [
    'ERC3643 with restrictions that are no boolean',
    'deployErc3643',
    aDeployBody({ ...erc3643, transfer_restrictions: 'yes' }),
    [at('transfer_restrictions')],
  ],
  ['ERC3643 with 19 decimals', 'deployErc3643', { ...aDeployBody(erc3643), decimals: 19 }, ['decimals']],
  [
    'OFT with an endpoint that is none',
    'deployOft',
    aDeployBody({ layer_zero_endpoint: 'x' }),
    [at('layer_zero_endpoint')],
  ],
  [
    'OFT with parameters that are none',
    'deployOft',
    aDeployBody({ ...oft, adapter_parameters: 'x' }),
    [at('adapter_parameters')],
  ],
  ['OFT with 5 decimals', 'deployOft', { ...aDeployBody(oft), decimals: 5 }, ['decimals']],
  ['no name and no symbol', 'deployErc20', { deployments: aDeployBody().deployments }, ['name', 'symbol']],
  ['decimals beyond a byte', 'deployErc20', { ...aDeployBody(), decimals: 256 }, ['decimals']],
  ['no deployments', 'deployErc20', { ...aDeployBody(), deployments: [] }, ['deployments']],
  [
    'a network twice',
    'deployErc20',
    { ...aDeployBody(), deployments: [...aDeployBody().deployments, ...aDeployBody().deployments] },
    ['deployments[1].network_id'],
  ],
  ['deployments that are no list', 'deployErc20', { ...aDeployBody(), deployments: {} }, ['deployments']],
  [
    'deployments that are no objects',
    'deployErc20',
    { ...aDeployBody(), deployments: [null, 1, 1] },
    ['deployments[0]', 'deployments[1]', 'deployments[2]'],
  ],
  [
    'a deployment without args',
    'deployErc20',
    { ...aDeployBody(), deployments: [{ network_id: 'a' }] },
    ['deployments[0].args'],
  ],
  [
    'a further network twice',
    'deployCctBurnMint',
    { ...aDeployBody(), networks: ['a', 'b', 'a'] },
    ['networks[2]'],
  ],
  [
    'further networks that are no list',
    'deployCctBurnMint',
    { ...aDeployBody(), networks: {} },
    ['networks'],
  ],
  [
    'further networks on lock-release',
    'deployCctLockRelease',
    { ...aDeployBody(), networks: ['a'] },
    ['networks'],
  ],
  ['no networks to add', 'addDeployments', { networks: [] }, ['networks']],
  ['a network to add twice', 'addDeployments', { networks: ['a', 'a'] }, ['networks[1]']],
])('refuses %s', (_reason, id, body, paths) => {
  expect(pathsOf(id, body).sort()).toEqual([...paths].sort());
});

test.each<[string, OperationId, object, string, string]>([
  ['a missing supply', 'deployErc20', without({}), at('total_supply'), 'required'],
  [
    'a missing supply in fresh mode',
    'deployCctBurnMint',
    without({}),
    at('total_supply'),
    'required unless underlying_token_address is given',
  ],
  [
    'a field of fresh mode',
    'deployCctLockRelease',
    without({ underlying_token_address: address, liquidity: 1 }),
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
  [
    'a registry that is none',
    'deployErc3643',
    aDeployBody({ compliance_registry: '1' }),
    at('compliance_registry'),
    'use an address: 0x and 40 hexadecimal digits',
  ],
  ['a missing endpoint', 'deployOft', aDeployBody(), at('layer_zero_endpoint'), 'required'],
  [
    'more at first',
    'deployErc20',
    aDeployBody({ initial_supply: '9999999' }),
    at('initial_supply'),
    'must not be more than total_supply',
  ],
  [
    'an unknown member',
    'deployErc20',
    aDeployBody({ totalSupply: '1' }),
    at('totalSupply'),
    'no token standard knows this member',
  ],
])('%s is told by field and remedy', (_reason, id, body, path, message) => {
  const parsed = operationOf(id).body?.safeParse(body);
  expect(parsed?.error && detailsOf(parsed.error)).toEqual([{ path, message }]);
});

test.each([
  ['ERC20', undefined, { total_supply: '1' }, { initial_supply: '2', total_supply: '1' }],
  ['ERC3643', undefined, { ...erc3643, total_supply: '1' }, { total_supply: '1' }],
  ['CCT', 'burn-mint', { total_supply: '1', recipient: address }, { total_supply: '1', liquidity: 1 }],
  ['CCT', 'lock-release', { total_supply: '1', liquidity: 1 }, { total_supply: '1', recipient: address }],
  ['OFT', undefined, { ...oft, total_supply: '1' }, oft],
] as const)(
  'the args of a further %s deployment (%s) follow the rules of the first',
  (type, mechanism, good, bad) => {
    expect(deploymentArgsSchema(type, mechanism).safeParse(good).success).toBe(true);
    expect(deploymentArgsSchema(type, mechanism).safeParse(bad).success).toBe(false);
  },
);

test('decimals are 18 unless given, and args of other standards fall away', () => {
  const body: BodyOf<'deployErc20'> = operations.deployErc20.body.parse(aDeployBody(erc3643));
  expect(body.decimals).toBe(18);
  expect(body.deployments[0]?.args).toEqual({ total_supply: '1000000' });
});

test.each([
  ['ERC20', ['total_supply']],
  ['ERC3643', ['total_supply', 'compliance_registry']],
  ['OFT', ['total_supply', 'layer_zero_endpoint']],
  ['CCT', []],
] as const)('%s requires its args', (type, names) => {
  expect(requiredArgs(type)).toEqual(names);
});

test.each([
  ['each of its own', { type: 'CCT', name: 'Example', symbol: 'EXM' }],
  ['a selector beside them', { symbol: 'EXM', selector: "name == 'Example'" }],
])('a token list is filtered by %s', (_how, query) => {
  expect(operationOf('listTokens').query?.parse(query)).toEqual(query);
  expect(operationOf('listTokens').selectable).toEqual(['type', 'name', 'symbol']);
});

test('a deployment may say that it has no address yet, and why', () => {
  const waiting = { id: 'd', token_id: 't', network_id: 'n', token_address: '', message: 'not mined yet' };
  expect(deploymentSchema.parse(waiting)).toEqual(waiting);
  const { token_address: _, ...without } = waiting;
  expect(deploymentSchema.safeParse(without).success).toBe(false);
});
