import type { ReplayDocument, ReplayRequest, ReplayResponse } from '../../../sdk/src/generated/types.ts';
import { readJson } from '../../io/input.ts';
import { tableText } from '../../io/table.ts';
import { type Client, isSlipwayError } from '../../lib/client.ts';
import type { Context } from '../../lib/context.ts';
import { fail } from '../../lib/failure.ts';
import type { Options } from '../../lib/options.ts';
import {
  findNetwork,
  findNetworkIfAny,
  findRecording,
  type Names,
  namesOfNetworks,
} from '../../lib/resolve.ts';
import type { Call, CommandSpec } from '../../lib/spec.ts';
import { isMembers } from '../../lib/values.ts';

export const replayCommand: CommandSpec = {
  usage: 'replay [recording]',
  summary: 'Replay recorded transactions, and compare the outcomes.',
  details: `Replays a recording, or a document from "slipway recording export". Exit code 6 means that a transaction did
not end as recorded.`,
  options: [
    { flags: '-f, --file <path>', text: 'A document instead of a recording, or - for standard input.' },
    {
      flags: '--map <from=to>',
      text: 'Replay the transactions of one network on another; may be repeated.',
      isMany: true,
    },
    { flags: '--dry-run', text: 'Only check and plan; send nothing.' },
    { flags: '--timeout <duration>', text: 'How long to wait for the outcome (10m).' },
  ],
  examples: [
    'slipway replay upgrade --dry-run',
    'slipway replay upgrade --map my-net=other-net',
    'slipway replay --file upgrade.json --map 3f0c9d7e-6a51-4f6e-9b7c-0d2a8b1c4e5f=my-net',
  ],
  bodyOption: 'file',
  run: replay,
};

const defaultTimeoutMs = 600_000;

async function replay(context: Context, { args: [given], options }: Call): Promise<void> {
  const { io, ui } = context;
  const client = await context.client();
  const isDryRun = options.isSet('dryRun');
  const file = options.text('file');
  if ((given === undefined) === (file === undefined)) {
    const what =
      given === undefined ? 'Name a recording or a document.' : 'Name a recording or a document, not both.';
    throw fail('usage', what, 'Give a recording, or --file PATH.');
  }
  const document = file === undefined ? undefined : await documentOf(context, file);
  const request: ReplayRequest = {
    recordingId: given === undefined ? undefined : (await findRecording(client, given)).id,
    replayDocument: document,
    networkMapping: await mappingOf(client, options, document),
    dryRun: isDryRun || undefined,
  };
  ui.step({ type: 'step', state: 'replaying' }, isDryRun ? 'planning' : 'replaying');
  const timeoutMs = options.durationMs('timeout') ?? defaultTimeoutMs;
  const outcome = await client.replays
    .create(request, { timeoutMs, signal: io.signal })
    .catch((error: unknown) => {
      if (!isSlipwayError(error, 'Timeout')) throw error;
      throw fail('timeout', `The replay was not done after ${timeoutMs / 1_000}s.`, 'See: slipway tx list');
    });
  const names = await namesOfNetworks(client);
  if (isDryRun) return ui.object(outcome, planText(outcome, names));
  ui.object(outcome, outcomeText(outcome, names));
  if (outcome.success) return;
  const wrong = Object.values(outcome.transactions)
    .flat()
    .filter(({ match }) => !match).length;
  throw fail(
    'endedInError',
    `${wrong} of ${outcome.totalTransactions} transactions did not end as recorded.`,
  );
}

async function documentOf({ io }: Context, file: string): Promise<ReplayDocument> {
  const value = await readJson(io, file);
  if (isDocument(value)) return value;
  throw fail(
    'usage',
    'The file is not a replay document.',
    'Write one with: slipway recording export ID -o FILE',
  );
}

function isDocument(value: unknown): value is ReplayDocument {
  return isMembers(value) && isMembers(value.networks);
}

/** By names or ids. A recorded network that is gone has only its id, and one of a document what the document calls it. */
async function mappingOf(
  client: Client,
  options: Options,
  document?: ReplayDocument,
): Promise<Record<string, string> | undefined> {
  const pairs = options.pairs('map', 'my-net=other-net');
  if (!pairs) return undefined;
  const called = Object.keys(document?.networks ?? {});
  const entries = await Promise.all(
    Object.entries(pairs).map(async ([from, to]) => {
      const source = called.includes(from) ? undefined : await findNetworkIfAny(client, from);
      return { from, id: source?.id ?? from, to: (await findNetwork(client, to)).id };
    }),
  );
  for (const [index, { id, from }] of entries.entries()) {
    const before = entries.slice(0, index).find((one) => one.id === id);
    if (before)
      throw fail('usage', `--map ${before.from} and --map ${from} are one network.`, 'Map it once.');
  }
  return Object.fromEntries(entries.map(({ id, to }) => [id, to]));
}

/** What a replay would send, which compares nothing yet. */
function planText({ transactions, totalTransactions }: ReplayResponse, names: Names): string {
  const table = tableText(rowsOf(transactions, names), [
    { title: 'recorded', value: ({ original_hash }) => original_hash },
    { title: 'network', value: ({ network }) => network },
    { title: 'problems', value: ({ differences = [] }) => differences.join('; ') },
  ]);
  return `${totalTransactions > 0 ? table : ''}${totalTransactions} transactions would be sent\n`;
}

function outcomeText({ transactions, success, totalTransactions }: ReplayResponse, names: Names): string {
  const table = tableText(rowsOf(transactions, names), [
    { title: 'recorded', value: ({ original_hash }) => original_hash },
    { title: 'outcome', value: ({ status }) => status },
    { title: 'match', value: ({ match }) => (match ? 'yes' : 'no') },
    { title: 'network', value: ({ network }) => network },
    { title: 'differences', value: ({ differences = [] }) => differences.join('; ') },
  ]);
  return `${totalTransactions > 0 ? table : ''}${totalTransactions} transactions, ${success ? 'all match' : 'not all match'}\n`;
}

function rowsOf(transactions: ReplayResponse['transactions'], names: Names) {
  return Object.entries(transactions).flatMap(([network, items]) =>
    items.map((item) => ({ ...item, network: names.of(network) })),
  );
}
