import type { Secret } from '../../sdk/src/generated/types.ts';
import { readBytes } from '../io/input.ts';
import { fieldsText } from '../io/table.ts';
import type { Context } from '../lib/context.ts';
import { fail } from '../lib/failure.ts';
import { atMost, findSecret, listQuery } from '../lib/resolve.ts';
import { type Call, type CommandSpec, listOptions } from '../lib/spec.ts';
import { randomKey } from '../network/key.ts';
import { ageOf } from '../network/show.ts';
import { decoded, encodings } from './secretData.ts';

export const secretCommand: CommandSpec = {
  usage: 'secret',
  summary: 'Store keys and mnemonics that networks refer to.',
  children: [
    {
      usage: 'create <name>',
      summary: 'Create a secret from a file, standard input or an environment variable.',
      details: `Data is never taken from the command line, where other users can see it. For a private key in hexadecimal, add --encoding
hex: the service stores its bytes.`,
      options: [
        { flags: '--from-file <path>', text: 'A file, or - for standard input.' },
        { flags: '--from-env <variable>', text: 'An environment variable.' },
        { flags: '--random', text: '32 random bytes: a new private key.' },
        { flags: '--encoding <name>', text: 'Encoding of the data (raw).', choices: encodings },
        { flags: '--type <text>', text: 'Type, a hint for clients (ethereum-private-key).' },
        { flags: '--label <key=value>', text: 'Add a label; may be repeated.', isMany: true },
      ],
      examples: [
        'slipway secret create hot-key --random',
        'slipway secret create hot-key --from-file - --encoding hex < key.hex',
        'slipway secret create words --type mnemonic --from-env MNEMONIC --encoding text',
      ],
      run: create,
    },
    {
      usage: 'list',
      summary: 'List your secrets, without their data.',
      options: listOptions,
      examples: ['slipway secret list', 'slipway secret list -l team=a'],
      async run({ io, ui, client }, { options }) {
        const query = listQuery(options);
        const items = (await client()).secrets.listAll(query, { signal: io.signal });
        const nowMs = io.clock.nowMs();
        await ui.list(atMost(withoutDataAll(items), query.limit), [
          { title: 'name', value: ({ name }) => name },
          { title: 'type', value: ({ type }) => type },
          { title: 'age', value: ({ metadata }) => ageOf(metadata.createdAt, nowMs) },
          { title: 'id', value: ({ id }) => id },
        ]);
      },
    },
    {
      usage: 'get <secret>',
      summary: 'Show a secret, or its data with --data.',
      options: [
        { flags: '--data', text: 'Print the data as base64. Each such read is audited.' },
        {
          flags: '--hex',
          text: 'Print the data as 0x and hexadecimal digits, as tools take private keys.',
          excludes: ['data'],
        },
      ],
      examples: [
        'slipway secret get hot-key',
        'cast wallet address --private-key "$(slipway secret get hot-key --hex)"',
      ],
      run: get,
    },
    {
      usage: 'delete <secret>',
      summary: 'Delete a secret that no network refers to.',
      examples: ['slipway secret delete hot-key'],
      async run({ io, ui, client }, { args: [given = ''] }) {
        const sdk = await client();
        const { id, name } = await findSecret(sdk, given);
        const deleted = await sdk.secrets.delete(id, { signal: io.signal });
        ui.item(withoutData(deleted), `deleted ${name}`);
      },
    },
  ],
};

function withoutData({ data: _data, ...secret }: Secret): Omit<Secret, 'data'> {
  return secret;
}

async function* withoutDataAll(secrets: AsyncIterable<Secret>) {
  for await (const secret of secrets) yield withoutData(secret);
}

async function create(context: Context, { args: [name = ''], options }: Call): Promise<void> {
  const data = await dataOf(context, options);
  const labels = options.pairs('label');
  const body = {
    name,
    data,
    type: options.text('type') ?? 'ethereum-private-key',
    ...(labels ? { metadata: { labels } } : {}),
  };
  show(context, await (await context.client()).secrets.create(body, { signal: context.io.signal }));
}

/** Base64 of the bytes from the one source that is named. */
async function dataOf({ io }: Context, options: Call['options']): Promise<string> {
  const [file, variable, isRandom] = [
    options.text('fromFile'),
    options.text('fromEnv'),
    options.isSet('random'),
  ];
  const sources = [file, variable, isRandom || undefined].filter((source) => source !== undefined);
  if (sources.length !== 1) {
    throw fail(
      'usage',
      'Name one source of the data.',
      'Add --from-file PATH, --from-env VARIABLE or --random.',
    );
  }
  if (isRandom) return randomKey();
  const encoding = options.text('encoding');
  if (file !== undefined) return decoded(await readBytes(io, file), encoding).toString('base64');
  const value = io.env[variable ?? ''];
  if (!value) throw fail('usage', `The variable ${variable} is not set.`, 'Export it, or use --from-file.');
  return decoded(Buffer.from(value), encoding).toString('base64');
}

async function get(context: Context, { args: [given = ''], options }: Call): Promise<void> {
  const client = await context.client();
  const { id, name } = await findSecret(client, given);
  const secret = await client.secrets.get(id, { signal: context.io.signal });
  if (!options.isSet('data') && !options.isSet('hex')) return show(context, secret);
  if (secret.data === undefined) {
    throw fail(
      'signIn',
      `Only its owner sees the data of secret "${name}".`,
      'Ask its owner, or create your own.',
    );
  }
  const hex = `0x${Buffer.from(secret.data, 'base64').toString('hex')}`;
  context.ui.answer(secret, `${options.isSet('hex') ? hex : secret.data}\n`);
}

function show({ ui }: Context, secret: Secret): void {
  const { id, name, type, metadata } = secret;
  const fields = [
    ['Name', name],
    ['Id', id],
    ['Type', type],
    ['Created', metadata.createdAt],
  ] as const;
  ui.object(withoutData(secret), fieldsText(fields));
}
