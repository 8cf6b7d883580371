import { z } from 'zod';
import { atMost, findNetwork, limitInput, named, nameInput } from '../find.ts';
import { defineTool, type Tool } from '../tool.ts';

export const snapshotTools: readonly Tool[] = [
  defineTool({
    name: 'list_snapshots',
    title: 'List snapshots',
    description: 'States of networks at a block, to go back to and to start other networks from.',
    input: z.object({ limit: limitInput }),
    isReadOnly: true,
    run: ({ client, signal }, { limit }) => atMost(client.snapshots.listAll({}, { signal }), limit),
  }),
  defineTool({
    name: 'take_snapshot',
    title: 'Take a snapshot',
    description: 'Keeps the state of a running EVM network. It is ready some seconds later.',
    input: named.extend({ name: nameInput.optional() }),
    async run(context, { network, name }) {
      const { id } = await findNetwork(context, network);
      return context.client.snapshots.create(id, name === undefined ? {} : { name }, {
        signal: context.signal,
      });
    },
  }),
  defineTool({
    name: 'revert_network',
    title: 'Revert a network to a snapshot',
    description: 'A new chain begins from the snapshot: everything after it is lost.',
    input: named.extend({ snapshot: nameInput.describe('Name or id.') }),
    isDestructive: true,
    async run(context, { network, snapshot }) {
      const { id, name } = await findNetwork(context, network);
      const { client, signal } = context;
      for await (const one of client.snapshots.listAll({}, { signal })) {
        if (one.name !== snapshot && one.id !== snapshot) continue;
        if (one.spec.network !== name)
          throw new Error(`snapshot "${one.name}" is of network "${one.spec.network}", not of "${name}"`);
        await client.snapshots.revert({ id, snapshotId: one.id }, { signal });
        return { reverted: network, to: one.name };
      }
      throw new Error(`there is no snapshot "${snapshot}": see list_snapshots`);
    },
  }),
];
