import { addressOf } from '../../../cli/contract/address.ts';
import { amountForm, unitsOf, weiOf } from '../../../cli/contract/amount.ts';
import type { CliFeature } from '../../../cli/feature.ts';
import type { Context } from '../../../cli/lib/context.ts';
import { findNetwork, findToken } from '../../../cli/lib/resolve.ts';
import type { Call, CommandSpec } from '../../../cli/lib/spec.ts';

const faucet: CommandSpec = {
  usage: 'faucet <network> <address>',
  summary: 'Get funds on a network, paid by the account of your default key. Wakes it.',
  options: [
    {
      flags: '--amount <amount>',
      text: `Amount: ${amountForm}; of a token, its smallest units (one whole coin or token).`,
    },
    { flags: '--token <token>', text: 'A token of the workspace on this network, by id, symbol or name.' },
  ],
  examples: [
    'slipway network faucet my-net 0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    'slipway network faucet my-net 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 --amount 0.5ether',
    'slipway network faucet my-net 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 --token EXM --amount 1000',
  ],
  run: requestFunds,
};

export const feature: CliFeature = { networkCommands: [faucet] };

async function requestFunds(
  context: Context,
  { args: [name = '', given = ''], options }: Call,
): Promise<void> {
  const { io, ui } = context;
  const [token, amount] = [options.text('token'), options.text('amount')];
  const read = token === undefined ? weiOf : unitsOf;
  const asked = amount === undefined ? undefined : read(amount, '--amount');
  const address = await addressOf(context, given);
  const client = await context.client();
  const { id } = await findNetwork(client, name);
  const tokenId = token === undefined ? undefined : (await findToken(client, token)).id;
  const payment = await client.networks.requestFunds(
    id,
    { address, amount: asked, token: tokenId },
    { signal: io.signal },
  );
  ui.answer(payment, payment.txHashes.map((hash) => `${hash}\n`).join(''));
}
