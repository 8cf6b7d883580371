import { z } from 'zod';
import type { McpFeature } from '../../../mcp/feature.ts';
import { atMost, findNetwork, limitInput, networkInput } from '../../../mcp/find.ts';
import { defineTool } from '../../../mcp/tool.ts';

export const feature: McpFeature = {
  tools: [
    defineTool({
      name: 'list_contracts',
      title: 'List contracts by name',
      description:
        'Contracts that were verified, or deployed with a token, with their addresses: of a network, or of all networks of the workspace. No network is woken.',
      input: z.object({
        network: networkInput.optional(),
        name: z
          .string()
          .max(256)
          .optional()
          .describe('Part of the name of the contract, or of the name or symbol of its token.'),
        limit: limitInput,
      }),
      isReadOnly: true,
      async run(context, { network, name, limit }) {
        const { client, signal } = context;
        const query = { name, limit };
        if (network === undefined)
          return atMost(client.contracts.listAllOfWorkspace(query, { signal }), limit);
        const { id } = await findNetwork(context, network);
        return atMost(client.contracts.listAll(id, query, { signal }), limit);
      },
    }),
  ],
};
