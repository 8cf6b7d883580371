import { contractOf } from '../../../cli/contract/find.ts';
import { whileRunning } from '../../../cli/contract/running.ts';
import type { Context } from '../../../cli/lib/context.ts';
import { atMost, findNetwork } from '../../../cli/lib/resolve.ts';
import { type Call, type CommandSpec, limitOption } from '../../../cli/lib/spec.ts';
import { coinsText } from '../../../cli/lib/units.ts';
import type { AccountTransaction, Network, TokenTransfer } from '../../../sdk/src/generated/types.ts';

/** How many are shown unless the user says otherwise. */
const shownCount = 50;

export const historyCommand: CommandSpec = {
  usage: 'history <network> <account>',
  summary: 'Show the transactions of an account, the newest first.',
  details: `Those that it sent or received, that created it, and those within which it was called. The account is an address, a name of
the address book, or a name of "slipway contract list". The whole chain is searched, but for the blocks of a forked one. Does not
wake the network: it must run.`,
  options: [
    { flags: '--transfers', text: 'Show the transfers of tokens to and from the account instead.' },
    {
      flags: '--token',
      text: 'Show the transfers of the token at this address instead.',
      excludes: ['transfers'],
    },
    { ...limitOption, text: `Maximum number of entries (${shownCount}).` },
  ],
  examples: [
    'slipway history my-net treasury',
    'slipway history my-net 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 --transfers --json',
    'slipway history my-net USDT --token',
  ],
  run: history,
};

async function history(context: Context, { args: [given = '', account = ''], options }: Call): Promise<void> {
  const client = await context.client();
  const network = await findNetwork(client, given);
  const path = { id: network.id, address: await contractOf(context, network, account) };
  const limit = options.wholeNumber('limit') ?? shownCount;
  const [query, call] = [{ limit }, { signal: context.io.signal }];
  const of = options.isSet('token') ? 'token' : 'account';
  if (of === 'token' || options.isSet('transfers')) {
    const found = client.history.listAllTransfers(path, { ...query, of }, call);
    return context.ui.list(running(network, atMost(found, limit)), transferColumns);
  }
  const found = client.history.listAllTransactions(path, query, call);
  return context.ui.list(
    running(network, atMost(found, limit)),
    transactionColumns(path.address.toLowerCase()),
  );
}

/** The items, of a network that must run. */
async function* running<T>(network: Network, items: AsyncIterator<T>): AsyncGenerator<T> {
  for (;;) {
    const next = await whileRunning(network, items.next());
    if (next.done) return;
    yield next.value;
  }
}

const transactionColumns = (account: string) => [
  { title: 'block', value: ({ block }: AccountTransaction) => block },
  { title: 'time', value: ({ time }: AccountTransaction) => time },
  { title: 'transaction', value: ({ hash }: AccountTransaction) => hash },
  { title: 'status', value: ({ status }: AccountTransaction) => status },
  { title: 'what', value: (one: AccountTransaction) => whatOf(one, account) },
  { title: 'with', value: (one: AccountTransaction) => otherOf(one, account) },
  { title: 'coins', value: ({ value }: AccountTransaction) => coinsText(BigInt(value), 18) },
];

/** What the account had to do with a transaction. */
function whatOf({ from, to, created, method = '' }: AccountTransaction, account: string): string {
  if (created === account) return 'created by';
  if (from === account) return to === undefined ? 'creates' : `sends ${method}`.trimEnd();
  return to === account ? `gets ${method}`.trimEnd() : 'called within';
}

function otherOf({ from, to, created }: AccountTransaction, account: string): string {
  return from === account ? (to ?? created ?? '') : from;
}

const transferColumns = [
  { title: 'block', value: ({ block }: TokenTransfer) => block },
  { title: 'transaction', value: ({ hash }: TokenTransfer) => hash },
  { title: 'token', value: ({ token }: TokenTransfer) => token },
  { title: 'standard', value: ({ standard }: TokenTransfer) => standard },
  { title: 'from', value: ({ from }: TokenTransfer) => from },
  { title: 'to', value: ({ to }: TokenTransfer) => to },
  { title: 'id', value: ({ tokenId }: TokenTransfer) => tokenId ?? '' },
  { title: 'units', value: ({ amount }: TokenTransfer) => amount },
];
