import { unknownValue } from '../../../sdk/src/unknownValue.ts';
import { fieldsText } from '../../io/table.ts';
import type { Context } from '../../lib/context.ts';
import { atMost } from '../../lib/resolve.ts';
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
      summary: 'Change the role of a member.',
      examples: ['slipway member set-role u-5e1c viewer'],
      async run(context, { args: [userId = '', role = ''] }) {
        const client = await context.client();
        const id = await workspaceIdOf(context, client);
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
      summary: 'Remove a member, whose keys for this workspace stop working.',
      examples: ['slipway member remove u-5e1c'],
      async run(context, { args: [userId = ''] }) {
        const client = await context.client();
        const id = await workspaceIdOf(context, client);
        await client.memberships.delete({ id, userId }, { signal: context.io.signal });
        context.ui.item({ userID: userId, isDeleted: true }, `removed ${userId}`);
      },
    },
  ],
};

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
