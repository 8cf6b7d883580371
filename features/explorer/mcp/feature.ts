import { z } from 'zod';
import type { McpFeature } from '../../../mcp/feature.ts';
import {
  addressInput,
  atMost,
  findAddress,
  findNetwork,
  limitInput,
  networkInput,
} from '../../../mcp/find.ts';
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
    defineTool({
      name: 'get_account_history',
      title: 'Get the history of an account',
      description:
        'The transactions of an account on a running network, the newest first: sent, received, and those within which it was called. Or the transfers of tokens to and from it, or of the token at the address. The network is not woken.',
      input: z.object({
        network: networkInput,
        address: addressInput,
        show: z
          .enum(['transactions', 'transfers', 'transfers of the token'])
          .default('transactions')
          .describe('What is listed.'),
        limit: limitInput,
      }),
      isReadOnly: true,
      async run(context, { network, address, show, limit }) {
        const { client, signal } = context;
        const { id } = await findNetwork(context, network);
        const path = { id, address: await findAddress(context, address) };
        if (show === 'transactions')
          return atMost(client.history.listAllTransactions(path, { limit }, { signal }), limit);
        const of = show === 'transfers' ? 'account' : 'token';
        return atMost(client.history.listAllTransfers(path, { limit, of }, { signal }), limit);
      },
    }),
  ],
};
