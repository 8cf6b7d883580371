import { setBalance } from '../../../core/abi/node.ts';
import { currencyOf } from '../../../sdk/src/currency.ts';
import { addressOf } from '../../contract/address.ts';
import { orRefused, requireAdminNode } from '../../contract/admin.ts';
import { amountForm, unitsOf, weiOf } from '../../contract/amount.ts';
import type { Context } from '../../lib/context.ts';
import { findNetwork } from '../../lib/resolve.ts';
import type { Call, CommandSpec } from '../../lib/spec.ts';
import { coinsText } from '../../lib/units.ts';

export const balanceCommand: CommandSpec = {
  usage: 'set-balance <network> <address> <amount>',
  summary:
    'Set what an account has, without a transaction: coins, or an ERC-20 token such as one of a forked chain.',
  details: `The amount is ${amountForm}; of a token, its smallest units. For networks with the light engine, and
members who may write networks. Wakes a stopped network.`,
  options: [{ flags: '--token <address>', text: 'Contract of an ERC-20 token (the native coin).' }],
  examples: [
    'slipway network set-balance my-net 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 5ether',
    'slipway network set-balance my-fork 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 1000000 --token 0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  ],
  run: set,
};

async function set(
  context: Context,
  { args: [given = '', account = '', text = ''], options }: Call,
): Promise<void> {
  const contract = options.text('token');
  const address = await addressOf(context, account);
  const token = contract === undefined ? undefined : await addressOf(context, contract, { what: '--token' });
  const amount = token === undefined ? weiOf(text, '<amount>') : unitsOf(text, '<amount>');
  const client = await context.client();
  const { id, spec } = await findNetwork(client, given);
  const node = await requireAdminNode(context, client, id);
  await orRefused(setBalance(node, { address, amount, token }));
  const { symbol, decimals } = currencyOf(spec.chain.type);
  const units =
    token === undefined
      ? `${coinsText(BigInt(amount), decimals, decimals)} ${symbol}`
      : `${amount} of ${token}, in its smallest units`;
  context.ui.object({ address, amount, token }, `${address} has ${units}.\n`);
}
