import { z } from 'zod';
import type { McpFeature } from '../../../mcp/feature.ts';
import { addressInput, findAddress, findNetwork, networkInput } from '../../../mcp/find.ts';
import { amountInput, weiOf } from '../../../mcp/inputs.ts';
import { defineTool } from '../../../mcp/tool.ts';

const named = z.object({ network: networkInput });

export const feature: McpFeature = {
  tools: [
    defineTool({
      name: 'request_funds',
      title: 'Get funds for an address',
      description: "Pays coins to an address from the caller's account (EVM). Wakes a stopped network.",
      input: named.extend({
        address: addressInput,
        amount: amountInput.optional().describe('Wei, or such as 2gwei or 0.5ether; one coin when absent.'),
      }),
      async run(context, { network, address: given, amount }) {
        const { id } = await findNetwork(context, network);
        const address = await findAddress(context, given);
        const wei = amount === undefined ? undefined : weiOf(amount, 'amount');
        return context.client.networks.requestFunds(id, { address, amount: wei }, { signal: context.signal });
      },
    }),
  ],
};
