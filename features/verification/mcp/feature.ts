import { z } from 'zod';
import type { McpFeature } from '../../../mcp/feature.ts';
import { addressInput, findAddress, findNetwork, networkInput } from '../../../mcp/find.ts';
import { defineTool } from '../../../mcp/tool.ts';

const named = z.object({ network: networkInput });

export const feature: McpFeature = {
  tools: [
    defineTool({
      name: 'get_contract',
      title: 'Show a verified contract',
      description: 'Name and ABI of a contract whose source was verified. list_contracts has the addresses.',
      input: named.extend({ address: addressInput }),
      isReadOnly: true,
      async run(context, { network, address: given }) {
        const { id } = await findNetwork(context, network);
        const { client, signal } = context;
        const address = await findAddress(context, given);
        const { name, abi, compiler, match } = await client.contracts.get({ id, address }, { signal });
        return { address, name, compiler, match, abi };
      },
    }),
  ],
};
