import type { Workspace } from '../../sdk/src/generated/types.ts';
import { profilesPath, readProfiles, writeProfiles } from '../config/profiles.ts';
import { confirm } from '../io/input.ts';
import { fieldsText } from '../io/table.ts';
import type { Client } from '../lib/client.ts';
import { clientIn } from '../lib/clientIn.ts';
import type { Context } from '../lib/context.ts';
import { fail } from '../lib/failure.ts';
import { atMost, findWorkspace } from '../lib/resolve.ts';
import { type Call, type CommandSpec, limitOption } from '../lib/spec.ts';
import { ageOf } from '../network/show.ts';

export const workspaceCommand: CommandSpec = {
  usage: 'workspace',
  summary: 'Manage and select workspaces.',
  children: [
    {
      usage: 'list',
      summary: 'List your workspaces.',
      options: [limitOption],
      examples: ['slipway workspace list'],
      async run(context, { options }) {
        const { io, ui } = context;
        const items = (await accountClient(context)).workspaces.listAll({}, { signal: io.signal });
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
      summary: 'Show a workspace (the current one).',
      examples: ['slipway workspace get', 'slipway workspace get team-a --json'],
      async run(context, { args: [given] }) {
        show(context, await (given === undefined ? currentWorkspace(context) : findMine(context, given)));
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
        const client = await accountClient(context);
        show(context, await client.workspaces.create({ name, description }, { signal }));
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
      summary: 'Delete a workspace that has no networks, with everything else in it.',
      options: [{ flags: '--yes', text: 'Do not ask.' }],
      examples: ['slipway workspace delete team-a --yes'],
      run: remove,
    },
    {
      usage: 'use <workspace>',
      summary: 'Use this workspace from now on. It is stored in the profile.',
      examples: ['slipway workspace use team-a'],
      run: select,
    },
  ],
};

/** The id of the workspace that the command acts in. */
export async function workspaceIdOf(context: Context, client: Client): Promise<string> {
  return (await currentWorkspace(context, client)).id;
}

async function currentWorkspace(context: Context, client?: Client): Promise<Workspace> {
  const { account } = client ?? (await context.client());
  const { workspace } = await account.get({ signal: context.io.signal });
  if (workspace) return workspace;
  throw fail('notFound', 'This key has no workspace.', 'Add --workspace NAME, see: slipway workspace list');
}

/**
 * A client that acts in the key's own workspace, or in one that the command line names: that of the profile may be gone,
 * which must not hide the others.
 */
async function accountClient({ io, ui, settings, choice }: Context): Promise<Client> {
  return clientIn({ ...(await settings()), workspace: undefined, given: choice.workspace }, io, ui);
}

async function findMine(context: Context, given: string): Promise<Workspace> {
  return findWorkspace(await accountClient(context), given, context.io.signal);
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

async function update(context: Context, { args: [given = ''], options }: Call): Promise<void> {
  const found = await findMine(context, given);
  const body = {
    name: options.text('name') ?? found.name,
    description: options.text('description') ?? found.description,
  };
  const client = await accountClient(context);
  // What somebody else has changed since is not overwritten.
  const headers = { 'If-Match': found.metadata.rev === undefined ? '*' : `"${found.metadata.rev}"` };
  show(context, await client.workspaces.replace(found.id, body, { headers, signal: context.io.signal }));
}

async function remove(context: Context, { args: [given = ''], options }: Call): Promise<void> {
  const { id, name } = await findMine(context, given);
  await confirm(context.io, `Deleting workspace "${name}" with everything in it`, options.isSet('yes'));
  await (await accountClient(context)).workspaces.delete(id, { signal: context.io.signal });
  context.ui.item({ id, name, isDeleted: true }, `deleted ${name}`);
  await leave(context, id);
}

/** Profiles that acted in a workspace that is gone act in that of their key again. */
async function leave(context: Context, id: string): Promise<void> {
  const { profile } = await context.settings();
  if (profile === undefined) return;
  const path = profilesPath(context.io);
  const stored = await readProfiles(path);
  const left = Object.entries(stored.profiles).filter(([, { workspace }]) => workspace === id);
  if (left.length === 0) return;
  for (const [name, one] of left) stored.profiles[name] = { ...one, workspace: undefined };
  await writeProfiles(path, stored);
  const names = left.map(([name]) => `"${name}"`).join(', ');
  context.ui.note(`Profile ${names} acts in the workspace of its key from now on.`);
}

async function select(context: Context, { args: [given = ''] }: Call): Promise<void> {
  const { io, ui } = context;
  const { profile } = await context.settings();
  if (profile === undefined) throw noProfile();
  const { id, name } = await findMine(context, given);
  const path = profilesPath(io);
  // Only now: another terminal may have stored a profile meanwhile.
  const stored = await readProfiles(path);
  const current = stored.profiles[profile];
  if (!current) throw noProfile();
  stored.profiles[profile] = { ...current, workspace: id };
  await writeProfiles(path, stored);
  ui.note(`Profile "${profile}" acts in workspace "${name}" (${id}).`);
  if (io.env.SLIPWAY_WORKSPACE)
    ui.note('SLIPWAY_WORKSPACE is set and takes precedence over the profile: unset it.');
}

function noProfile(): Error {
  return fail(
    'usage',
    'No profile is in use, so there is none to store it in.',
    'Set SLIPWAY_WORKSPACE instead.',
  );
}
