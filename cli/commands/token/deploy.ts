import { parseExactly } from '../../../core/lib/json/exactNumber.ts';
import type { Token } from '../../../sdk/src/generated/types.ts';
import { addressOf } from '../../contract/address.ts';
import { weiOf } from '../../contract/amount.ts';
import { readJson } from '../../io/input.ts';
import type { Context } from '../../lib/context.ts';
import { fail } from '../../lib/failure.ts';
import type { Options } from '../../lib/options.ts';
import { findNetwork } from '../../lib/resolve.ts';
import type { Call, OptionSpec } from '../../lib/spec.ts';
import { isMembers, type Members } from '../../lib/values.ts';
import { waitUntil } from '../../lib/wait.ts';
import { showToken, tokenWait } from './show.ts';

/** As paths of the API have them. */
const standards = ['erc20', 'erc3643', 'oft', 'cct/burn-mint', 'cct/lock-release'];

/** The values of --standard for a standard of the API, such as CCT. */
export function standardsOf(type: string): string[] {
  return standards.filter((one) => one.split('/')[0] === type.toLowerCase());
}

/** An argument of each deployment. */
export const argOption: OptionSpec = {
  flags: '--arg <key=value>',
  text: 'An argument of each deployment, such as total_supply=1000ether; may be repeated. Amounts are in the smallest units, or such as 1000ether: whole tokens of 18 decimals.',
  isMany: true,
};

export const deployOptions: readonly OptionSpec[] = [
  { flags: '--standard <standard>', text: 'Standard of the token (erc20).', choices: standards },
  { flags: '--name <name>', text: 'Name of the token.' },
  { flags: '--symbol <symbol>', text: 'Symbol of the token.' },
  { flags: '--decimals <number>', text: 'Decimal places (18).', least: 0 },
  { flags: '--network <network>', text: 'Deploy on this network; may be repeated.', isMany: true },
  {
    flags: '-f, --file <path>',
    text: 'The body of the deploy request as JSON, or - for standard input.',
    excludes: ['name', 'symbol', 'decimals', 'network', 'label', 'arg'],
  },
  { flags: '--label <key=value>', text: 'Add a label; may be repeated.', isMany: true },
  argOption,
];

/** Arguments whose schema is not text are written as JSON: numbers stay text where they are amounts. */
const jsonArgs = ['liquidity', 'transfer_restrictions', 'adapter_parameters'];
/** Those that are addresses, which may be written by their names. */
const addressArgs = ['owner', 'underlying_token_address', 'layer_zero_endpoint'];

export async function deploy(context: Context, { options }: Call): Promise<void> {
  const client = await context.client();
  const standard = options.text('standard') ?? 'erc20';
  const file = options.text('file');
  const body = file === undefined ? await bodyOf(context, options) : await readJson(context.io, file);
  const path = `/transaction/v1alpha1/transaction/token/${standard}/deploy`;
  const token = await client.request<Token>('POST', path, { body, signal: context.io.signal });
  context.ui.note(`Created token "${token.symbol}" (${token.id}).`);
  if (!options.isSet('wait')) return showToken(context, token);
  await waitUntil(context, tokenWait(client, token), options);
  await showToken(context, await client.tokens.get(token.id, { signal: context.io.signal }));
}

async function bodyOf(context: Context, options: Options): Promise<Members> {
  const client = await context.client();
  const [name, symbol, networks] = [options.text('name'), options.text('symbol'), options.list('network')];
  if (!name || !symbol || networks.length === 0) {
    throw fail(
      'usage',
      'A token needs a name, a symbol and a network.',
      'Add --name, --symbol and --network, or --file.',
    );
  }
  const ids = await Promise.all(networks.map(async (given) => (await findNetwork(client, given)).id));
  const args = await argsOf(context, options);
  const labels = options.pairs('label');
  return {
    name,
    symbol,
    decimals: options.wholeNumber('decimals'),
    deployments: ids.map((network_id) => ({ network_id, args })),
    ...(labels ? { metadata: { labels } } : {}),
  };
}

/** The arguments of each deployment. */
export async function argsOf(context: Context, options: Options): Promise<Members> {
  const pairs = Object.entries(options.pairs('arg') ?? {});
  const read = pairs.map(async ([key, value]) => [key, await argOf(context, key, value)] as const);
  return Object.fromEntries(await Promise.all(read));
}

async function argOf(context: Context, key: string, value: string): Promise<unknown> {
  const flag = `--arg ${key}`;
  if (addressArgs.includes(key) && value !== '') return addressOf(context, value, { what: flag });
  const text = /^[\d.]+(wei|gwei|ether)$/.test(value) ? weiOf(value, flag) : value;
  return jsonArgs.includes(key) ? parsed(key, text) : text;
}

function parsed(key: string, value: string): unknown {
  try {
    const found = parseExactly(value);
    if (typeof found !== 'object' || isMembers(found)) return found;
  } catch {
    // Reported below.
  }
  throw fail('usage', `--arg ${key}=${value} is not JSON.`, 'Write a number, true, false or an object.');
}
