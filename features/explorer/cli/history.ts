import { contractOf } from '../../../cli/contract/find.ts';
import { whileRunning } from '../../../cli/contract/running.ts';
import type { Column } from '../../../cli/io/table.ts';
import type { Context } from '../../../cli/lib/context.ts';
import { findNetwork } from '../../../cli/lib/resolve.ts';
import { type Call, type CommandSpec, limitOption } from '../../../cli/lib/spec.ts';
import { coinsText } from '../../../cli/lib/units.ts';
import type { AccountTransaction, TokenTransfer } from '../../../sdk/src/generated/types.ts';
import { notSearched } from '../api/notSearched.ts';
import { type History, readHistory } from '../mcp/history.ts';

/** How many are shown unless the user says otherwise. */
const shownCount = 50;

export const historyCommand: CommandSpec = {
  usage: 'history <network> <account>',
  summary: 'Show the transactions of an account, the newest first.',
  details: `Those that it sent or received, that created it, and those within which it was called. The account is an address, a name of
the address book, or a name of "slipway contract list". The blocks of a forked chain are not searched; a note says what else was
not. Does not wake the network: it must run.`,
  options: [
    { flags: '--transfers', text: 'Show transfers of tokens instead.' },
    {
      flags: '--of <what>',
      text: 'Whose transfers: to and from the account, or of the token at this address (account).',
      choices: ['account', 'token'],
      needs: ['transfers'],
    },
    { ...limitOption, text: `Maximum number of entries (${shownCount}).` },
  ],
  examples: [
    'slipway history my-net treasury',
    'slipway history my-net 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 --transfers --json',
    'slipway history my-net USDT --transfers --of token',
  ],
  run: history,
};

async function history(context: Context, { args: [given = '', account = ''], options }: Call): Promise<void> {
  const client = await context.client();
  const network = await findNetwork(client, given);
  const path = { id: network.id, address: await contractOf(context, network, account) };
  const limit = options.wholeNumber('limit') ?? shownCount;
  const call = { signal: context.io.signal };
  if (options.isSet('transfers')) {
    const of = options.text('of') === 'token' ? 'token' : 'account';
    const found = readHistory((query) => client.history.listTransfers(path, { ...query, of }, call), limit);
    return print(context, await whileRunning(network, found), transferColumns);
  }
  const found = readHistory((query) => client.history.listTransactions(path, query, call), limit);
  await print(context, await whileRunning(network, found), transactionColumns(path.address.toLowerCase()));
}

async function print<T>(
  { ui }: Context,
  { items, covered, hasMore }: History<T>,
  columns: readonly Column<T>[],
): Promise<void> {
  await ui.list(items, columns, { covered });
  for (const sentence of notSearched(covered, !hasMore)) ui.note(sentence);
}

type Placed = Pick<AccountTransaction, 'block' | 'time' | 'hash'>;

const placeColumns = [
  { title: 'block', value: ({ block }: Placed) => block },
  { title: 'time', value: ({ time }: Placed) => time },
  { title: 'transaction', value: ({ hash }: Placed) => hash },
];

const transactionColumns = (account: string) => [
  ...placeColumns,
  { title: 'status', value: ({ status }: AccountTransaction) => status },
  { title: 'what', value: (one: AccountTransaction) => whatOf(one, account) },
  { title: 'with', value: (one: AccountTransaction) => otherOf(one, account) },
  { title: 'coins', value: ({ value }: AccountTransaction) => coinsText(BigInt(value), 18) },
  { title: 'within', value: ({ inner }: AccountTransaction) => withinOf(inner, account) },
];

/** What the account had to do with a transaction. */
function whatOf({ from, to, created, method = '', inner }: AccountTransaction, account: string): string {
  if (created === account) return 'created by';
  if (from === account) return to === undefined ? 'creates' : `sends ${method}`.trimEnd();
  if (to === account) return `gets ${method}`.trimEnd();
  return inner.some((one) => isCreation(one) && one.to === account) ? 'created within' : 'called within';
}

function otherOf({ from, to, created }: AccountTransaction, account: string): string {
  return from === account ? (to ?? created ?? '') : from;
}

type Inner = AccountTransaction['inner'];

const isCreation = ({ type }: Inner[number]) => type.startsWith('CREATE');

/** What contracts paid it within a transaction, and what it paid and created there itself. */
function withinOf(inner: Inner, account: string): string {
  const coinsOf = (calls: Inner) => calls.reduce((sum, { value }) => sum + BigInt(value), 0n);
  const got = coinsOf(inner.filter(({ to }) => to === account));
  const paid = coinsOf(inner.filter(({ from }) => from === account));
  const created = inner.filter((one) => isCreation(one) && one.from === account).length;
  return [
    got > 0n ? `gets ${coinsText(got, 18)}` : '',
    paid > 0n ? `pays ${coinsText(paid, 18)}` : '',
    created > 0 ? `creates ${created}` : '',
  ]
    .filter(Boolean)
    .join(', ');
}

const transferColumns = [
  ...placeColumns,
  { title: 'token', value: ({ token }: TokenTransfer) => token },
  { title: 'standard', value: ({ standard }: TokenTransfer) => standard },
  { title: 'from', value: ({ from }: TokenTransfer) => from },
  { title: 'to', value: ({ to }: TokenTransfer) => to },
  { title: 'id', value: ({ tokenId }: TokenTransfer) => tokenId ?? '' },
  { title: 'units', value: ({ amount }: TokenTransfer) => amount },
];
