import type { Submission, SubmitRequest, TransactionItem } from '../../sdk/src/generated/types.ts';
import { addressOf } from '../contract/address.ts';
import { amountForm, weiOf } from '../contract/amount.ts';
import { submit, submitOne } from '../contract/submit.ts';
import { readJson, readText } from '../io/input.ts';
import { type Column, fieldsText } from '../io/table.ts';
import type { Client } from '../lib/client.ts';
import type { Context } from '../lib/context.ts';
import { fail } from '../lib/failure.ts';
import type { Options } from '../lib/options.ts';
import { findNetwork, namesOfNetworks } from '../lib/resolve.ts';
import { type Call, type CommandSpec, waitOptions } from '../lib/spec.ts';
import { isMembers } from '../lib/values.ts';

export const transactionCommand: CommandSpec = {
  usage: 'tx',
  summary: 'Submit transactions, signed with your default key and sent exactly once.',
  children: [
    {
      usage: 'submit [network]',
      summary: 'Submit a transaction to a network, or many from a file.',
      details: `With --wait, exit code 6 means that a transaction failed on the chain or was dropped.`,
      options: [
        { flags: '--to <address>', text: 'Recipient (none, to create a contract).' },
        { flags: '--value <amount>', text: `Amount: ${amountForm} (0).` },
        { flags: '--data <hex>', text: 'Call data or creation code.', excludes: ['dataFile'] },
        { flags: '--data-file <path>', text: 'File with the data, or - for standard input.' },
        { flags: '--gas-limit <gas>', text: 'Gas limit (estimated).', least: 1 },
        {
          flags: '-f, --file <path>',
          text: 'The body of the submit request as JSON, or - for standard input.',
          excludes: ['to', 'value', 'data', 'dataFile', 'gasLimit'],
        },
        { flags: '--idempotency-key <key>', text: 'Key for a repeatable request: it takes effect once.' },
        ...waitOptions,
      ],
      examples: [
        'slipway tx submit my-net --to 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 --value 1000 --wait',
        'slipway tx submit my-net --data-file Counter.bin --wait --json',
        'slipway tx submit --file batch.json --idempotency-key release-7',
      ],
      bodyOption: 'file',
      run: submitCommand,
    },
    {
      usage: 'get <hash>',
      summary: 'Show a submitted transaction and its receipt. Does not wake the network.',
      options: [{ flags: '--network <network>', text: 'Network, if it was submitted to several.' }],
      examples: ['slipway tx get 0x5f0c...'],
      notFound: 'Check the hash: slipway tx list. Transactions are kept for about a day.',
      run: get,
    },
    {
      usage: 'list',
      summary: 'List submitted transactions, newest first.',
      options: [
        { flags: '--network <network>', text: 'Only on this network.' },
        {
          flags: '--state <state>',
          text: 'Only in this state.',
          choices: ['accepted', 'broadcast', 'mined', 'failed', 'dropped'],
        },
        { flags: '--selector <text>', text: "Filter, such as 'from == 0x...'." },
        { flags: '--limit <number>', text: 'Maximum number of items (50).', least: 1 },
      ],
      examples: ['slipway tx list --network my-net --state failed'],
      run: list,
    },
  ],
};

async function submitCommand(context: Context, { args: [given], options }: Call): Promise<void> {
  const file = options.text('file');
  if (file !== undefined) return submit(context, { body: await bodyOf(context, given, file) }, options);
  if (given === undefined) throw fail('usage', 'The network is missing.', 'Name it, or add --file.');
  const item = await itemOf(context, options);
  const { id } = await findNetwork(await context.client(), given);
  await submitOne(context, { id, item }, options);
}

async function bodyOf({ io }: Context, given: string | undefined, file: string): Promise<SubmitRequest> {
  if (given !== undefined)
    throw fail('usage', `The file says where to submit, not "${given}".`, 'Leave out one of them.');
  const body = await readJson(io, file);
  if (isSubmitRequest(body)) return body;
  throw fail('usage', 'The file is not a submit request.', 'It needs the member transactions_by_network.');
}

async function itemOf(context: Context, options: Options): Promise<TransactionItem> {
  const { io } = context;
  const [to, dataFile] = [options.text('to'), options.text('dataFile')];
  return {
    to: to === undefined ? undefined : await addressOf(context, to, { what: '--to' }),
    value: weiOf(options.text('value') ?? '0', '--value'),
    data: dataFile === undefined ? options.text('data') : (await readText(io, dataFile)).trim(),
    gas_limit: options.wholeNumber('gasLimit'),
  };
}

function isSubmitRequest(value: unknown): value is SubmitRequest {
  return isMembers(value) && isMembers(value.transactions_by_network);
}

async function get({ io, ui, client }: Context, { args: [hash = ''], options }: Call): Promise<void> {
  const sdk = await client();
  const given = options.text('network');
  const network_id = given === undefined ? undefined : (await findNetwork(sdk, given)).id;
  const submission = await sdk.transactions.get(hash, { network_id }, { signal: io.signal });
  ui.object(submission, submissionText(submission, (await namesOfNetworks(sdk)).of(submission.network_id)));
}

function submissionText(submission: Submission, network: string): string {
  return fieldsText([
    ['Hash', submission.hash],
    ['Network', network],
    ['State', submission.state],
    ['Message', submission.message],
    ['From', submission.from],
    ['Nonce', String(submission.nonce)],
    ['Block', submission.block?.toString()],
    ['Gas used', submission.gas_used?.toString()],
    ['Contract', submission.contract_address],
    ['Accepted', submission.accepted_at],
    ['Settled', submission.settled_at],
  ]);
}

const columnsWith = (nameOf: (id: string) => string): Column<Submission>[] => [
  { title: 'hash', value: ({ hash }) => hash },
  { title: 'state', value: ({ state }) => state },
  { title: 'nonce', value: ({ nonce }) => String(nonce) },
  { title: 'network', value: ({ network_id }) => nameOf(network_id) },
  { title: 'message', value: ({ message = '' }) => message.slice(0, 80) },
];

const usualLimit = 50;

async function list({ io, ui, client }: Context, { options }: Call): Promise<void> {
  const sdk = await client();
  const [network, state] = [options.text('network'), options.text('state')];
  const parts = [
    options.text('selector'),
    state === undefined ? undefined : `state == ${state}`,
    network === undefined ? undefined : `network_id == ${(await findNetwork(sdk, network)).id}`,
  ].filter((part) => part !== undefined);
  const selector = parts.length > 0 ? parts.join(' && ') : undefined;
  const limit = options.wholeNumber('limit') ?? usualLimit;
  const names = await namesOfNetworks(sdk);
  await ui.list(pagesOf(sdk, { selector, limit, signal: io.signal }), columnsWith(names.of));
}

interface Query {
  selector: string | undefined;
  limit: number;
  signal: AbortSignal;
}

async function* pagesOf(client: Client, { selector, limit, signal }: Query): AsyncGenerator<Submission> {
  let left = limit;
  let cursor: string | undefined;
  do {
    const page = await client.transactions.list({ selector, cursor, limit: Math.min(left, 500) }, { signal });
    yield* page.items.slice(0, left);
    left -= page.items.length;
    cursor = page.metadata.cursor;
  } while (cursor !== undefined && left > 0);
}
