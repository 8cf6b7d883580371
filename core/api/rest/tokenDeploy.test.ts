import { type BodyOf, type OperationId, operations } from '../operations/operations.ts';
import { aDeployBody } from '../testing/builders.ts';
import { address, at, erc3643, issuesOf, oft, pathsOf, withArgs } from '../testing/deployBodies.ts';
import { deploymentArgsSchema } from './tokenDeploy.ts';

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
  ['ERC20 that mints all at once', 'deployErc20', aDeployBody({ initial_supply: '1000000' })],
  ['ERC3643 with 18 decimals', 'deployErc3643', { ...aDeployBody(erc3643), decimals: 18 }],
  [
    'ERC3643 without restrictions',
    'deployErc3643',
    aDeployBody({ ...erc3643, transfer_restrictions: false }),
  ],
  ['OFT whose spec names the endpoint', 'deployOft', { ...aDeployBody(), spec: oft }],
  [
    'OFT that names the endpoint twice',
    'deployOft',
    { ...aDeployBody(oft), spec: { layer_zero_endpoint: address.toLowerCase() } },
  ],
  ['OFT with 6 decimals', 'deployOft', { ...aDeployBody(oft), decimals: 6 }],
  ['OFT without adapter_parameters', 'deployOft', aDeployBody(oft)],
  ['args of another standard, whatever they hold', 'deployErc20', aDeployBody({ compliance_registry: 1 })],
  ['further networks', 'addDeployments', { networks: ['a'], args: { total_supply: '1' } }],
])('accepts %s', (_reason, id, body) => {
  expect(pathsOf(id, body)).toEqual([]);
});

test.each<[string, OperationId, object, string[]]>([
  ['ERC20 without total_supply', 'deployErc20', withArgs({}), [at('total_supply')]],
  ['ERC3643 without both', 'deployErc3643', withArgs({}), [at('compliance_registry'), at('total_supply')]],
  ['ERC3643 without a registry', 'deployErc3643', aDeployBody(), [at('compliance_registry')]],
  ['OFT without an endpoint', 'deployOft', aDeployBody(), [at('layer_zero_endpoint')]],
  ['OFT without total_supply', 'deployOft', withArgs(oft), [at('total_supply')]],
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
    'ERC3643 with a registry that is none',
    'deployErc3643',
    aDeployBody({ compliance_registry: 'x' }),
    [at('compliance_registry')],
  ],
  [
    'ERC3643 with restrictions that are not a boolean',
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
  [
    'OFT whose spec names another endpoint',
    'deployOft',
    { ...aDeployBody(oft), spec: { layer_zero_endpoint: `0x${'1'.repeat(40)}` } },
    [at('layer_zero_endpoint')],
  ],
  [
    'OFT whose spec has other parameters',
    'deployOft',
    { ...aDeployBody({ ...oft, adapter_parameters: {} }), spec: { adapter_parameters: { lz_fee: '1' } } },
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
  ['deployments that are not a list', 'deployErc20', { ...aDeployBody(), deployments: {} }, ['deployments']],
  [
    'deployments that are not objects',
    'deployErc20',
    { ...aDeployBody(), deployments: [null, 1, 1] },
    ['deployments[0]', 'deployments[1]', 'deployments[2]'],
  ],
  [
    'a deployment without args',
    'deployErc20',
    { ...aDeployBody(), deployments: [{ network_id: 'a' }] },
    [at('total_supply')],
  ],
  ['no networks to add', 'addDeployments', { networks: [] }, ['networks']],
  ['a network to add twice', 'addDeployments', { networks: ['a', 'a'] }, ['networks[1]']],
])('refuses %s', (_reason, id, body, paths) => {
  expect(pathsOf(id, body).sort()).toEqual([...paths].sort());
});

test.each<[string, OperationId, object, string, string]>([
  ['a missing supply', 'deployErc20', withArgs({}), at('total_supply'), 'required'],
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
])('%s is reported by field, with a remedy', (_reason, id, body, path, message) => {
  expect(issuesOf(id, body)).toEqual([{ path, message }]);
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

test('the spec of an OFT token is the default of the args', () => {
  const spec = { ...oft, adapter_parameters: { lz_fee: '1' } };
  const body: BodyOf<'deployOft'> = operations.deployOft.body.parse({ ...aDeployBody(), spec });
  expect(body.deployments[0]?.args).toEqual({ total_supply: '1000000', ...spec });
});

test('decimals are 18 unless given, and args of other standards fall away', () => {
  const body: BodyOf<'deployErc20'> = operations.deployErc20.body.parse(aDeployBody(erc3643));
  expect(body.decimals).toBe(18);
  expect(body.deployments[0]?.args).toEqual({ total_supply: '1000000' });
});
