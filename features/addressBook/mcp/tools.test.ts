import { type NetworkApi, startNetworkApi } from '../../../apiserver/testing/networkApi.ts';
import { findAddress } from '../../../mcp/find.ts';
import type { ToolContext } from '../../../mcp/tool.ts';
import { createClient } from '../../../sdk/src/client.ts';
import { feature } from './feature.ts';

const address = `0x${'ab'.repeat(20)}`;

let api: NetworkApi;
let context: ToolContext;
beforeEach(async () => {
  api = await startNetworkApi();
  const client = { ...createClient({ url: api.url, apiKey: 'ann.secret-of-ann' }), chain: undefined };
  const { signal } = new AbortController();
  const own = { client, signal };
  context = { client, signal, addressNamed: async (name) => feature.addressNamed?.(own, name) };
});
afterEach(() => api.close());

const use = (name: string, input: object) =>
  feature.tools.find((tool) => tool.name === name)?.run(context, input);

it('an agent names an address, lists it, and uses the name in its place', async () => {
  await use('name_address', { address, name: 'Treasury', note: 'Safe' });
  expect(await use('list_addresses', {})).toEqual([{ address, name: 'Treasury', note: 'Safe' }]);
  expect(await findAddress(context, 'treasury')).toBe(address);
  expect(await findAddress(context, address)).toBe(address);
});

it.each([['vault'], ['0xabc'], ['']])(
  'what is neither an address nor a name is refused: "%s"',
  async (given) => {
    await expect(findAddress(context, given)).rejects.toThrow(
      'is not an address, nor a name in the address book',
    );
  },
);
