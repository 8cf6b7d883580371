import type { CliFeature } from '../../../cli/feature.ts';
import { fieldsText } from '../../../cli/io/table.ts';
import type { Context } from '../../../cli/lib/context.ts';
import type { Options } from '../../../cli/lib/options.ts';
import { atMost, listQuery } from '../../../cli/lib/resolve.ts';
import { type Call, type CommandSpec, listOptions } from '../../../cli/lib/spec.ts';
import { at, isMembers, listAt, type Members, textAt } from '../../../cli/lib/values.ts';
import { shownState } from '../api/shownState.ts';
import { deliveryCommands } from './deliveries.ts';
import { webhookKind } from './kind.ts';
import { findWebhook, findWebhooks, webhooksPath } from './webhooks.ts';

const specOptions = [
  {
    flags: '--type <type>',
    text: 'Only events of this type, such as network.* (all); may be repeated.',
    isMany: true,
  },
  {
    flags: '--match <key=value>',
    text: 'Only events of objects with this label; may be repeated.',
    isMany: true,
  },
  { flags: '--description <text>', text: 'Purpose of the webhook.' },
] as const;

const webhookCommand: CommandSpec = {
  usage: 'webhook',
  summary: 'Send events to a URL, signed according to Standard Webhooks.',
  children: [
    {
      usage: 'create <name> <url>',
      summary: 'Create a webhook. Its signing secret is shown only once.',
      options: [
        ...specOptions,
        { flags: '--label <key=value>', text: 'Add a label; may be repeated.', isMany: true },
      ],
      examples: [
        "slipway webhook create ci https://ci.example.com/hooks/slipway --type 'network.*' --type token.deployed",
        'slipway webhook create ci https://ci.example.com/hooks/slipway --match team=a --quiet > secret.txt',
      ],
      run: create,
    },
    {
      usage: 'list',
      summary: 'List webhooks.',
      options: listOptions,
      examples: ['slipway webhook list'],
      run: list,
    },
    {
      usage: 'get <webhook>',
      summary: 'Show a webhook, without its signing secret.',
      examples: ['slipway webhook get ci'],
      async run(context, { args: [given = ''] }) {
        show(context, await findWebhook(await context.client(), given, context.io.signal));
      },
    },
    {
      usage: 'update <webhook>',
      summary: 'Change fields of a webhook, and keep the others.',
      options: [
        { flags: '--url <url>', text: 'The new URL.' },
        ...specOptions,
        { flags: '--paused', text: 'Send nothing; events are kept for a day.' },
        { flags: '--no-paused', text: 'End the pause.' },
      ],
      examples: ['slipway webhook update ci --paused'],
      run: update,
    },
    {
      usage: 'delete <webhook>',
      summary: 'Delete a webhook with its queue.',
      examples: ['slipway webhook delete ci'],
      async run({ io, ui, client }, { args: [given = ''] }) {
        const sdk = await client();
        const webhook = await findWebhook(sdk, given, io.signal);
        const path = `${webhooksPath}/${textAt(webhook, 'id')}`;
        ui.item(
          await sdk.request('DELETE', path, { signal: io.signal }),
          `deleted ${textAt(webhook, 'name')}`,
        );
      },
    },
    ...deliveryCommands,
  ],
};

export const feature: CliFeature = {
  commands: [webhookCommand],
  kinds: [webhookKind],
  named: { webhook: ({ webhooks }) => webhooks.listAll({}) },
};

function specOf(options: Options): Members {
  const types = options.list('type');
  const matchLabels = options.pairs('match');
  const description = options.text('description');
  return {
    ...(types.length > 0 ? { types } : {}),
    ...(matchLabels ? { selector: { matchLabels } } : {}),
    ...(description === undefined ? {} : { description }),
  };
}

async function create(context: Context, { args: [name = '', url = ''], options }: Call): Promise<void> {
  const { io, ui } = context;
  const labels = options.pairs('label');
  const body = { name, ...(labels ? { metadata: { labels } } : {}), spec: { url, ...specOf(options) } };
  const webhook = await (await context.client()).request('POST', webhooksPath, { body, signal: io.signal });
  ui.note('The signing secret is shown only once: store it now.');
  show(context, webhook);
}

const stateOf = (webhook: unknown): string =>
  shownState({
    state: textAt(webhook, 'status.state'),
    failingSince: textAt(webhook, 'status.failingSince'),
  });

async function list({ io, ui, client }: Context, { options }: Call): Promise<void> {
  const { selector, limit } = listQuery(options);
  const items = findWebhooks(await client(), selector, io.signal);
  await ui.list(atMost(items, limit), [
    { title: 'name', value: (item) => textAt(item, 'name') },
    { title: 'state', value: stateOf },
    { title: 'pending', value: (item) => textAt(item, 'status.pending') },
    { title: 'url', value: (item) => textAt(item, 'spec.url') },
    { title: 'id', value: (item) => textAt(item, 'id') },
  ]);
}

async function update(context: Context, { args: [given = ''], options }: Call): Promise<void> {
  const { io } = context;
  const client = await context.client();
  const webhook = await findWebhook(client, given, io.signal);
  const before = at(webhook, 'spec');
  const [url, paused] = [options.text('url'), options.flag('paused')];
  const spec = {
    ...(isMembers(before) ? before : {}),
    ...(url === undefined ? {} : { url }),
    ...specOf(options),
    ...(paused === undefined ? {} : { paused }),
  };
  const body = { metadata: { rev: at(webhook, 'metadata.rev') }, spec };
  show(
    context,
    await client.request('PUT', `${webhooksPath}/${textAt(webhook, 'id')}`, { body, signal: io.signal }),
  );
}

function show({ ui }: Pick<Context, 'ui'>, webhook: unknown): void {
  ui.object(
    webhook,
    fieldsText([
      ['Name', textAt(webhook, 'name')],
      ['Id', textAt(webhook, 'id')],
      ['URL', textAt(webhook, 'spec.url')],
      ['Types', listAt(webhook, 'spec.types').join(', ')],
      ['State', stateOf(webhook)],
      ['Failing since', textAt(webhook, 'status.failingSince')],
      ['Message', textAt(webhook, 'status.message')],
      ['Pending', textAt(webhook, 'status.pending')],
      ['Secret', textAt(webhook, 'secret')],
    ]),
  );
}
