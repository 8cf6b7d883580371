import { z } from 'zod';
import type { McpFeature } from '../../../mcp/feature.ts';
import { nameInput } from '../../../mcp/find.ts';
import { textInput } from '../../../mcp/inputs.ts';
import { defineTool } from '../../../mcp/tool.ts';
import { addressesNamed } from '../api/nameKey.ts';

export const feature: McpFeature = {
  tools: [
    defineTool({
      name: 'list_addresses',
      title: 'List the address book',
      description:
        'Addresses of people, treasuries and contracts that have names in this workspace. Other tools take the names.',
      input: z.object({}),
      isReadOnly: true,
      async run({ client, signal }) {
        const { items } = await client.addresses.list({ signal });
        return items.map(({ address, name, note }) => ({ address, name, note }));
      },
    }),
    defineTool({
      name: 'name_address',
      title: 'Name an address',
      description:
        'Adds an address to the address book of the workspace, or replaces its name and its note. Everybody in the workspace sees the name in its place.',
      input: z.object({
        address: nameInput.describe('0x and 40 hexadecimal digits.'),
        name: nameInput.describe('At most 64 characters; no other address has it.'),
        note: textInput.optional().describe('What else there is to know.'),
      }),
      run: ({ client, signal }, { address, name, note }) =>
        client.addresses.set(address, { name, ...(note === undefined ? {} : { note }) }, { signal }),
    }),
  ],
  async addressNamed({ client, signal }, given) {
    const { items } = await client.addresses.list({ signal });
    const found = addressesNamed(items, given);
    if (found.length < 2) return found[0];
    throw new Error(`${found.length} addresses are called "${given}": ${found.join(', ')}; use the address`);
  },
};
