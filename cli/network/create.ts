import type { NetworkCreate } from '../../sdk/src/generated/types.ts';
import { unknownValue } from '../../sdk/src/unknownValue.ts';
import { fail } from '../lib/failure.ts';
import type { Options } from '../lib/options.ts';
import type { OptionSpec } from '../lib/spec.ts';
import type { Members } from '../lib/values.ts';
import { newKeyName } from './key.ts';

const chainTypes = [
  ...[
    'Ethereum',
    'Arbitrum',
    'Optimism',
    'Base',
    'BNB',
    'Avalanche',
    'Fantom',
    'Mantle',
    'ZKSync',
    'Polygon',
  ],
  ...['Solana', 'LayerZero', 'Thorchain'],
];

const plugins = ['chainlink', 'dfns', 'graph', 'uniswap', 'vrf'];

export const createOptions: readonly OptionSpec[] = [
  { flags: '--type <type>', text: 'Chain type (Ethereum).', choices: chainTypes },
  { flags: '--key <secret>', text: 'Secret with the private key that holds the funds.' },
  {
    flags: '--new-key',
    text: 'Create that secret, <name>-key, with a random key; the one that it created for a network of this name is used again.',
    excludes: ['key'],
  },
  { flags: '--mnemonic <secret>', text: 'Secret with a mnemonic, whose accounts are also funded.' },
  {
    flags: '--dev-accounts',
    text: 'Also fund the ten accounts of Foundry and Hardhat, whose keys everybody has.',
  },
  { flags: '--chain-id <id>', text: 'Chain id (generated).' },
  {
    flags: '--block-time <seconds>',
    text: 'Seconds between blocks (a block for each transaction).',
    least: 1,
  },
  { flags: '--gas-limit <gas>', text: 'Block gas limit.', least: 1 },
  {
    flags: '--history <blocks>',
    text: 'Keep the states of so many blocks, also over restarts.',
    least: 1,
  },
  {
    flags: '--engine <profile>',
    text: 'Engine profile, for types that have both.',
    choices: ['light', 'real'],
  },
  { flags: '--fork <block>', text: 'Fork the public chain at this block, or at "latest".' },
  {
    flags: '--plugin <name>',
    text: 'Add a plugin with its defaults; may be repeated.',
    choices: plugins,
    isMany: true,
  },
  { flags: '--from <snapshot>', text: 'Begin from this snapshot.' },
  { flags: '--persistent', text: 'Keep it running, within the quota.' },
  { flags: '--idle-after <duration>', text: 'Stop it when it has not been used for this time, such as 30m.' },
  { flags: '--expires-after <duration>', text: 'Delete it this time after its creation, such as 24h.' },
  { flags: '--label <key=value>', text: 'Add a label; may be repeated.', isMany: true },
];

/** The body of POST /v1alpha/networks for these options. */
export function networkBody(name: string, options: Options): NetworkCreate {
  const type = options.text('type') ?? 'Ethereum';
  const key = options.isSet('newKey') ? newKeyName(name) : options.text('key');
  if (type === 'Ethereum' && key === undefined) {
    throw fail('usage', 'An Ethereum network needs a key.', 'Add --key SECRET, or --new-key to create one.');
  }
  const labels = options.pairs('label');
  const snapshot = options.text('from');
  return {
    name,
    ...(labels ? { metadata: { labels } } : {}),
    spec: {
      ...defined({
        persistent: options.isSet('persistent') || undefined,
        idleAfter: options.text('idleAfter'),
        expiresAfter: options.text('expiresAfter'),
        from: snapshot === undefined ? undefined : { snapshot },
      }),
      chain: { type: unknownValue(type), [type.toLowerCase()]: chainMember(key, options) },
    },
  };
}

function chainMember(key: string | undefined, options: Options): Members {
  const mnemonic = options.text('mnemonic');
  const block = options.text('fork');
  const chosen = options.list('plugin');
  return defined({
    chainID: options.text('chainId'),
    blockTime: options.wholeNumber('blockTime'),
    gasLimit: options.wholeNumber('gasLimit'),
    history: options.wholeNumber('history'),
    profile: options.text('engine'),
    privateKeyRef: key === undefined ? undefined : { name: key },
    mnemonicRef: mnemonic === undefined ? undefined : { name: mnemonic },
    developmentAccounts: options.isSet('devAccounts') || undefined,
    forking: block === undefined ? undefined : { enabled: true, blockHeight: block },
    plugins: chosen.length === 0 ? undefined : Object.fromEntries(chosen.map((one) => [one, {}])),
  });
}

function defined<T extends object>(members: T): Partial<T>;
function defined(members: object): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
