import { type AccountRow, readAccounts } from '../../../mcp/accounts.ts';
import type { Context } from '../../lib/context.ts';
import { findNetwork } from '../../lib/resolve.ts';
import type { Call, CommandSpec } from '../../lib/spec.ts';
import { balanceText, originOf } from '../../network/accounts.ts';

export const accountsCommand: CommandSpec = {
  usage: 'accounts <network>',
  summary: 'List the funded accounts of a network, with their balances. Does not wake it.',
  details: `Balances are shown while the network runs. With --keys, the private keys that you may read are printed as well; each such
read is audited.`,
  options: [{ flags: '--keys', text: 'Also print private keys.' }],
  examples: [
    'slipway network accounts my-net',
    "slipway network accounts my-net --keys --json | jq -r '.items[0].privateKey'",
  ],
  run: listAccounts,
};

async function listAccounts(context: Context, { args: [given = ''], options }: Call): Promise<void> {
  const { io, ui } = context;
  const client = await context.client();
  const network = await findNetwork(client, given);
  const accounts = await readAccounts(client, network, io.signal);
  const withKey = async (account: AccountRow) => {
    if (!account.hasKey) return account;
    const path = { id: network.id, address: account.address };
    const { privateKey } = await client.networks.getAccountKey(path, { signal: io.signal });
    return { ...account, privateKey };
  };
  const shown: (AccountRow & { privateKey?: string })[] = [];
  for (const account of accounts) shown.push(options.isSet('keys') ? await withKey(account) : account);
  await ui.list(shown, [
    { title: 'address', value: ({ address }) => address },
    { title: 'balance', value: (account) => balanceText(account, network) },
    { title: 'from', value: originOf },
    ...(options.isSet('keys') ? [{ title: 'private key', value: keyOf }] : []),
  ]);
}

const keyOf = ({ privateKey = '' }: { privateKey?: string }) => privateKey;
