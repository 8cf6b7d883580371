import { fieldsText } from '../../../cli/io/table.ts';
import type { Context } from '../../../cli/lib/context.ts';
import { atMost } from '../../../cli/lib/resolve.ts';
import type { Call, CommandSpec } from '../../../cli/lib/spec.ts';
import { textAt } from '../../../cli/lib/values.ts';
import { findWebhook, webhooksPath } from './webhooks.ts';

export const deliveryCommands: readonly CommandSpec[] = [
  {
    usage: 'rotate-secret <webhook>',
    summary: 'Replace the signing secret. The new one is shown only once; for a day, the old one also signs.',
    options: [{ flags: '--overlap <duration>', text: 'How long the old one also signs (24h).' }],
    examples: [
      'slipway webhook rotate-secret ci',
      'slipway webhook rotate-secret ci --overlap 1h --quiet > secret.txt',
    ],
    run: rotate,
  },
  {
    usage: 'test <webhook>',
    summary: 'Send a test event.',
    examples: ['slipway webhook test ci'],
    run: (context, call) => post(context, call, 'test'),
  },
  {
    usage: 'resume <webhook>',
    summary: 'End a pause, and send the events that were kept.',
    examples: ['slipway webhook resume ci'],
    run: (context, call) => post(context, call, 'resume'),
  },
  {
    usage: 'deliveries <webhook>',
    summary: 'List deliveries, newest first.',
    options: [
      { flags: '--selector <text>', text: "Filter, such as 'state == failed'." },
      { flags: '--limit <number>', text: 'Maximum number of items (50).', least: 1 },
    ],
    examples: [
      "slipway webhook deliveries ci --selector 'state == failed'",
      'slipway webhook deliveries ci --ndjson',
    ],
    run: list,
  },
  {
    usage: 'resend <webhook> <delivery>',
    summary: 'Send the event of a delivery again, with the same id.',
    examples: ['slipway webhook resend ci 3f0c9d7e-6a51-4f6e-9b7c-0d2a8b1c4e5f'],
    run: (context, call) =>
      post(context, call, `deliveries/${encodeURIComponent(call.args[1] ?? '')}/resend`),
  },
];

async function pathOf({ io, client }: Context, given: string): Promise<string> {
  const webhook = await findWebhook(await client(), given, io.signal);
  return `${webhooksPath}/${encodeURIComponent(textAt(webhook, 'id'))}`;
}

async function rotate(context: Context, { args: [given = ''], options }: Call): Promise<void> {
  const { io, ui } = context;
  const overlapMs = options.durationMs('overlap');
  const body = overlapMs === undefined ? {} : { overlapSeconds: Math.round(overlapMs / 1_000) };
  const path = `${await pathOf(context, given)}/rotate-secret`;
  const webhook = await (await context.client()).request('POST', path, { body, signal: io.signal });
  ui.note('The signing secret is shown only once: store it now.');
  ui.object(
    webhook,
    fieldsText([
      ['Name', textAt(webhook, 'name')],
      ['Secret', textAt(webhook, 'secret')],
    ]),
  );
}

async function post(context: Context, { args: [given = ''] }: Call, action: string): Promise<void> {
  const { io, ui } = context;
  const path = `${await pathOf(context, given)}/${action}`;
  const answer = await (await context.client()).request('POST', path, { signal: io.signal });
  ui.object(
    answer,
    fieldsText([
      ['Name', textAt(answer, 'name')],
      ['Id', textAt(answer, 'id')],
      ['Type', textAt(answer, 'type')],
      ['State', textAt(answer, 'state') || textAt(answer, 'status.state')],
    ]),
  );
}

const usualLimit = 50;

async function list(context: Context, { args: [given = ''], options }: Call): Promise<void> {
  const { io, ui } = context;
  const client = await context.client();
  const id = textAt(await findWebhook(client, given, io.signal), 'id');
  const query = { selector: options.text('selector') };
  const items = client.webhooks.listAllDeliveries(id, query, { signal: io.signal });
  await ui.list(atMost(items, options.wholeNumber('limit') ?? usualLimit), [
    { title: 'id', value: (item) => textAt(item, 'id') },
    { title: 'type', value: (item) => textAt(item, 'type') },
    { title: 'state', value: (item) => textAt(item, 'state') },
    { title: 'attempts', value: (item) => textAt(item, 'attempts') },
    { title: 'created', value: (item) => textAt(item, 'createdAt') },
    { title: 'event', value: (item) => textAt(item, 'eventID') },
  ]);
}
