import type { Workspace } from '../../sdk/src/generated/types.ts';
import { profilesPath, readProfiles, writeProfiles } from '../config/profiles.ts';
import { confirm } from '../io/input.ts';
import { fieldsText } from '../io/table.ts';
import type { Client } from '../lib/client.ts';
import type { Context } from '../lib/context.ts';
import { fail } from '../lib/failure.ts';
import { atMost } from '../lib/resolve.ts';
import type { Call, CommandSpec } from '../lib/spec.ts';
import { ageOf } from '../network/show.ts';

const limitOption = { flags: '--limit <number>', text: 'At most this many items.' };

export const workspaceCommand: CommandSpec = {
  usage: 'workspace',
  summary: 'See, create and select workspaces.',
  children: [
    {
      usage: 'list',
      summary: 'List your workspaces.',
      options: [limitOption],
      examples: ['slipway workspace list'],
      async run({ io, ui, client }, { options }) {
        const items = (await client()).workspaces.listAll({}, { signal: io.signal });
        const nowMs = io.clock.nowMs();
        await ui.list(atMost(items, options.wholeNumber('limit')), [
          { title: 'name', value: ({ name }) => name },
          { title: 'description', value: ({ description = '' }) => description },
          { title: 'age', value: ({ metadata }) => ageOf(metadata.createdAt, nowMs) },
          { title: 'id', value: ({ id }) => id },
        ]);
      },
    },
    {
      usage: 'get [workspace]',
      summary: 'Show a workspace; without a name, the one that commands act in.',
      examples: ['slipway workspace get', 'slipway workspace get team-a --json'],
      async run(context, { args: [given] }) {
        show(context, await findWorkspace(context, await context.client(), given));
      },
    },
    {
      usage: 'create <name>',
      summary: 'Create a workspace, which you own.',
      options: [{ flags: '--description <text>', text: 'Purpose of the workspace.' }],
      examples: ['slipway workspace create team-a --description "Networks of team A"'],
      async run(context, { args: [name = ''], options }) {
        const description = options.text('description');
        const signal = context.io.signal;
        show(context, await (await context.client()).workspaces.create({ name, description }, { signal }));
      },
    },
    {
      usage: 'update <workspace>',
      summary: 'Change the name or the description of a workspace.',
      options: [
        { flags: '--name <name>', text: 'The new name.' },
        { flags: '--description <text>', text: 'The new description.' },
      ],
      examples: ['slipway workspace update team-a --description "Networks and tokens of team A"'],
      run: update,
    },
    {
      usage: 'delete <workspace>',
      summary: 'Delete a workspace with everything in it.',
      options: [{ flags: '--yes', text: 'Do not ask.' }],
      examples: ['slipway workspace delete team-a --yes'],
      run: remove,
    },
    {
      usage: 'use <workspace>',
      summary: 'Act in this workspace from now on: it is stored in the profile.',
      examples: ['slipway workspace use team-a'],
      run: select,
    },
  ],
};

/** The id of the workspace that the command acts in. */
export async function workspaceIdOf(context: Context, client: Client): Promise<string> {
  return (await findWorkspace(context, client, undefined)).id;
}

/** By name or id; without one, the workspace of the request. */
async function findWorkspace({ io }: Context, client: Client, given: string | undefined): Promise<Workspace> {
  if (given === undefined) {
    const { workspace } = await client.account.get({ signal: io.signal });
    if (workspace) return workspace;
    throw fail('notFound', 'This key has no workspace.', 'Add --workspace ID, see: slipway workspace list');
  }
  for await (const workspace of client.workspaces.listAll({}, { signal: io.signal })) {
    if (workspace.id === given || workspace.name === given) return workspace;
  }
  throw fail('notFound', `You have no workspace "${given}".`, 'See: slipway workspace list');
}

function show({ ui }: Context, workspace: Workspace): void {
  const { id, name, description, metadata } = workspace;
  const fields = [
    ['Name', name],
    ['Id', id],
    ['Description', description],
    ['Created', metadata.createdAt],
  ] as const;
  ui.object(workspace, fieldsText(fields));
}

async function update(context: Context, { args: [given], options }: Call): Promise<void> {
  const client = await context.client();
  const found = await findWorkspace(context, client, given);
  const body = {
    name: options.text('name') ?? found.name,
    description: options.text('description') ?? found.description,
  };
  show(context, await client.workspaces.replace(found.id, body, { signal: context.io.signal }));
}

async function remove(context: Context, { args: [given], options }: Call): Promise<void> {
  const client = await context.client();
  const { id, name } = await findWorkspace(context, client, given);
  await confirm(context.io, `Deleting workspace "${name}" with everything in it`, options.isSet('yes'));
  await client.workspaces.delete(id, { signal: context.io.signal });
  context.ui.item({ id, name, isDeleted: true }, `deleted ${name}`);
}

async function select(context: Context, { args: [given] }: Call): Promise<void> {
  const { io, ui } = context;
  const { profile } = await context.settings();
  const path = profilesPath(io);
  const stored = await readProfiles(path);
  const current = profile === undefined ? undefined : stored.profiles[profile];
  if (!profile || !current) {
    throw fail(
      'usage',
      'No profile is in use, so there is none to store it in.',
      'Set SLIPWAY_WORKSPACE instead.',
    );
  }
  const { id, name } = await findWorkspace(context, await context.client(), given);
  stored.profiles[profile] = { ...current, workspace: id };
  await writeProfiles(path, stored);
  ui.note(`Profile "${profile}" acts in workspace "${name}" (${id}).`);
}
