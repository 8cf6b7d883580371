import { unknownValue } from '../../../sdk/src/unknownValue.ts';
import { fieldsText } from '../../io/table.ts';
import type { Client } from '../../lib/client.ts';
import type { Context } from '../../lib/context.ts';
import { atMost, findListed } from '../../lib/resolve.ts';
import { type Call, type CommandSpec, limitOption } from '../../lib/spec.ts';
import { workspaceIdOf } from '../workspace.ts';

export const memberCommand: CommandSpec = {
  usage: 'member',
  summary: 'Manage the members of the workspace.',
  children: [
    {
      usage: 'list',
      summary: 'List the members.',
      options: [limitOption],
      examples: ['slipway member list'],
      run: listMembers,
    },
    {
      usage: 'set-role <user> <role>',
      summary: 'Change the role of a member, by e-mail address or id.',
      examples: ['slipway member set-role ann@example.com viewer'],
      async run(context, { args: [user = '', role = ''] }) {
        const client = await context.client();
        const { id, userId } = await findMember(context, client, user);
        const member = await client.memberships.replace(
          { id, userId },
          { role: unknownValue(role) },
          { signal: context.io.signal },
        );
        context.ui.object(
          member,
          fieldsText([
            ['User', userId],
            ['E-mail', member.email],
            ['Role', member.role],
          ]),
        );
      },
    },
    {
      usage: 'remove <user>',
      summary: 'Remove a member, by e-mail address or id. Their keys for this workspace stop working.',
      examples: ['slipway member remove ann@example.com'],
      async run(context, { args: [user = ''] }) {
        const client = await context.client();
        const path = await findMember(context, client, user);
        await client.memberships.delete(path, { signal: context.io.signal });
        context.ui.item({ userID: path.userId, isDeleted: true }, `removed ${user}`);
      },
    },
  ],
};

/** The ids of the workspace and of its member. */
async function findMember(
  context: Context,
  client: Client,
  user: string,
): Promise<{ id: string; userId: string }> {
  const id = await workspaceIdOf(context, client);
  const members = client.memberships.listAll(id, {}, { signal: context.io.signal });
  const { userID: userId } = await findListed(members, user, {
    kind: 'member',
    see: 'slipway member list',
    idOf: ({ userID }) => userID,
    isNamed: ({ email }) => email === user,
  });
  return { id, userId };
}

async function listMembers(context: Context, { options }: Call): Promise<void> {
  const client = await context.client();
  const items = client.memberships.listAll(
    await workspaceIdOf(context, client),
    {},
    { signal: context.io.signal },
  );
  await context.ui.list(atMost(items, options.wholeNumber('limit')), [
    { title: 'user', value: ({ userID }) => userID },
    { title: 'e-mail', value: ({ email = '' }) => email },
    { title: 'role', value: ({ role }) => role },
    { title: 'since', value: ({ createdAt = '' }) => createdAt },
  ]);
}
