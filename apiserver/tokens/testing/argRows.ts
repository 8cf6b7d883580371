import { deployEndpoints } from '../../../core/api/rules/tokenArgs.ts';
import { testAddress, testContract } from '../../../core/api/testing/builders.ts';
import { neededArgsOf } from '../../../core/api/testing/deployBodies.ts';
import { recordOf } from '../../../core/lib/typed.ts';
import { tokenDefinitions } from '../../../core/tokens/registry.ts';

/** Rules of the specification's args tables, with valid and invalid cases; `total_supply` is set unless undefined. */

/** The segments of each deploy endpoint. */
export const standards = tokenDefinitions.flatMap(({ endpoints }) => endpoints.map(({ path }) => path));
export type StandardPath = (typeof standards)[number];

/** The args that each standard needs beside the supply. */
export const neededArgs = recordOf(
  tokenDefinitions.flatMap(({ type, endpoints }) =>
    endpoints.map(({ path }) => [path, neededArgsOf(type)] as const),
  ),
);

const hasSupply = (path: StandardPath) =>
  deployEndpoints.some((one) => one.path === path && 'total_supply' in one.example.args);

const most = `${2n ** 256n - 1n}`;
const none = { total_supply: undefined };
const wrapping = { ...none, underlying_token_address: testContract };
const required = 'required';
const notAnAddress = 'use an address: 0x and 40 hexadecimal digits';
const notANumber = 'use a decimal number without sign or leading zeros';
const tooLarge = 'must not be larger than 2^256-1';
const moreThanAll = 'must not be more than total_supply';
const freshOnly = 'remove it: an existing token is wrapped';
const noMember = 'no token standard knows this member';

export const goodArgs: [reason: string, standard: StandardPath, args: object][] = [
  ...standards.map((path): [string, StandardPath, object] => ['only the required args', path, {}]),
  ...standards.map((path): [string, StandardPath, object] => [
    'the largest supply',
    path,
    { total_supply: most },
  ]),
  ...standards.map((path): [string, StandardPath, object] => [
    'args of other standards with any value',
    path,
    path === 'erc3643' ? { layer_zero_endpoint: 1 } : { transfer_restrictions: 1 },
  ]),
  ['a partial initial supply', 'erc20', { initial_supply: '1' }],
  ['no initial supply', 'erc20', { initial_supply: '0' }],
  ['the whole initial supply', 'erc20', { initial_supply: '1000000' }],
  ['an owner', 'erc20', { owner: testAddress }],
  ['restrictions', 'erc3643', { transfer_restrictions: true }],
  ['no restrictions', 'erc3643', { transfer_restrictions: false }],
  ['a new registry', 'erc3643', { compliance_registry: `0x${'0'.repeat(40)}` }],
  ['an existing token', 'cct/lock-release', wrapping],
  ['an existing token', 'cct/burn-mint', wrapping],
  ['a recipient beside a wrapped token', 'cct/burn-mint', { ...wrapping, recipient: testAddress }],
  ['liquidity', 'cct/lock-release', { liquidity: 1000 }],
  ['liquidity and a partial initial supply', 'cct/lock-release', { liquidity: 999_999, initial_supply: '1' }],
  ['liquidity beyond 2^53', 'cct/lock-release', { total_supply: `${10n ** 22n}`, liquidity: 1e21 }],
  ['a partial initial supply', 'cct/lock-release', { initial_supply: '1' }],
  ['a partial initial supply', 'cct/burn-mint', { initial_supply: '1' }],
  ['a recipient', 'cct/burn-mint', { recipient: testAddress }],
  ['an empty recipient', 'cct/burn-mint', { recipient: '' }],
  ['parameters', 'oft', { adapter_parameters: { lz_fee: '0.01' } }],
  ['parameters in wei', 'oft', { adapter_parameters: { lz_fee: '100' } }],
  ['no parameters', 'oft', { adapter_parameters: {} }],
];

type BadRow = [reason: string, standard: StandardPath, args: object, member: string, message: string];

const badSupplies = standards.filter(hasSupply).flatMap((path): BadRow[] => [
  ['a negative supply', path, { total_supply: '-1' }, 'total_supply', notANumber],
  ['a supply with a fraction', path, { total_supply: '1.5' }, 'total_supply', notANumber],
  ['a supply in hexadecimal', path, { total_supply: '0x10' }, 'total_supply', notANumber],
  ['a supply with leading zeros', path, { total_supply: '007' }, 'total_supply', notANumber],
  ['an empty supply', path, { total_supply: '' }, 'total_supply', notANumber],
  ['a supply that is too large', path, { total_supply: `${2n ** 256n}` }, 'total_supply', tooLarge],
  ['a supply as a number', path, { total_supply: 5 }, 'total_supply', 'must be text, not a number'],
  ['an unknown member', path, { totalSupply: '1' }, 'totalSupply', noMember],
]);

export const badArgs: BadRow[] = [
  ...badSupplies,
  ['no supply', 'erc20', none, 'total_supply', required],
  ['a supply of zero', 'erc20', { total_supply: '0' }, 'total_supply', 'more than 0'],
  [
    'an initial supply above the total',
    'erc20',
    { initial_supply: '1000001' },
    'initial_supply',
    moreThanAll,
  ],
  ['an invalid initial supply', 'erc20', { initial_supply: 'x' }, 'initial_supply', notANumber],
  ['an invalid owner', 'erc20', { owner: '0x1' }, 'owner', notAnAddress],
  ['an empty owner', 'erc20', { owner: '' }, 'owner', notAnAddress],

  ['no supply', 'erc3643', none, 'total_supply', required],
  ['no registry', 'erc3643', { compliance_registry: undefined }, 'compliance_registry', required],
  ['an invalid registry', 'erc3643', { compliance_registry: 'x' }, 'compliance_registry', notAnAddress],
  [
    'restrictions that are not a boolean',
    'erc3643',
    { transfer_restrictions: 'yes' },
    'transfer_restrictions',
    'must be true or false',
  ],

  ['no supply in fresh mode', 'cct/lock-release', none, 'total_supply', 'required unless underlying_token'],
  ['no supply in fresh mode', 'cct/burn-mint', none, 'total_supply', 'required unless underlying_token'],
  ...(['cct/lock-release', 'cct/burn-mint'] as const).flatMap((path): BadRow[] => [
    [
      'an invalid token address',
      path,
      { ...none, underlying_token_address: 'x' },
      'underlying_token_address',
      notAnAddress,
    ],
    ['a supply beside a wrapped token', path, { ...wrapping, total_supply: '1' }, 'total_supply', freshOnly],
    [
      'an initial supply beside a wrapped token',
      path,
      { ...wrapping, initial_supply: '1' },
      'initial_supply',
      freshOnly,
    ],
    ['an initial supply above the total', path, { initial_supply: '1000001' }, 'initial_supply', moreThanAll],
  ]),
  [
    'liquidity beside a wrapped token',
    'cct/lock-release',
    { ...wrapping, liquidity: 1 },
    'liquidity',
    freshOnly,
  ],
  ['liquidity', 'cct/burn-mint', { liquidity: 1 }, 'liquidity', 'only lock-release takes it'],
  ['a recipient', 'cct/lock-release', { recipient: testAddress }, 'recipient', 'only burn-mint takes it'],
  ['an invalid recipient', 'cct/burn-mint', { recipient: '0x1' }, 'recipient', notAnAddress],
  ['negative liquidity', 'cct/lock-release', { liquidity: -1 }, 'liquidity', 'must be at least 0'],
  ['liquidity with a fraction', 'cct/lock-release', { liquidity: 0.5 }, 'liquidity', 'use a whole number'],
  ['liquidity as a string', 'cct/lock-release', { liquidity: '5' }, 'liquidity', 'must be a number'],
  ['more liquidity than the supply', 'cct/lock-release', { liquidity: 1_000_001 }, 'liquidity', moreThanAll],
  [
    'more liquidity than the remaining supply',
    'cct/lock-release',
    { liquidity: 1_000_000, initial_supply: '1' },
    'liquidity',
    'with initial_supply it must not be more than total_supply',
  ],

  ['no supply', 'oft', none, 'total_supply', required],
  ['no endpoint', 'oft', { layer_zero_endpoint: undefined }, 'layer_zero_endpoint', required],
  ['an invalid endpoint', 'oft', { layer_zero_endpoint: '0x1' }, 'layer_zero_endpoint', notAnAddress],
  [
    'an unknown parameter',
    'oft',
    { adapter_parameters: { fee: '1' } },
    'adapter_parameters.fee',
    'unknown parameter: the known ones are lz_fee',
  ],
  ...([5, '-1', '1e5', '', null] as const).map(
    (lz_fee): BadRow => [
      `a fee of ${JSON.stringify(lz_fee)}`,
      'oft',
      { adapter_parameters: { lz_fee } },
      'adapter_parameters.lz_fee',
      'wei as a decimal number',
    ],
  ),
  ['invalid parameters', 'oft', { adapter_parameters: 'x' }, 'adapter_parameters', 'must be an object'],
];
