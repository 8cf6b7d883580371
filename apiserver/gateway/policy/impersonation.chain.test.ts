import { adminKey, call, post, startAnvil, startWorld, type World } from '../testing/fixtures.ts';
import { openSocket } from '../testing/socketFixtures.ts';

/** What the admin URL unlocks stays locked on the public URL. */

const account = '0x00000000000000000000000000000000000000aa';
const transfer = call('eth_sendTransaction', [{ from: account, to: account, value: '0x1' }]);

let anvil: Awaited<ReturnType<typeof startAnvil>>;
let world: World;
beforeAll(async () => {
  anvil = await startAnvil();
  world = await startWorld(anvil);
  await post(world.url('admin'), call('anvil_setBalance', [account, '0xde0b6b3a7640000']));
});
afterAll(async () => {
  await world.close();
  await anvil.close();
});

const blockNumber = async () => (await post(world.url(), call('eth_blockNumber'))).json.result;

describe.each([
  ['an impersonated account', call('anvil_impersonateAccount', [account])],
  ['automatic impersonation', call('anvil_autoImpersonateAccount', [true])],
])('%s', (_what, unlock) => {
  beforeAll(async () => {
    expect((await post(world.url('admin'), unlock)).json.error).toBeUndefined();
  });

  it('sends nothing through the public URL, over HTTP or WebSocket', async () => {
    const before = await blockNumber();
    const message = 'eth_sendTransaction is not available on the public URL';
    expect((await post(world.url(), transfer)).json.error.message).toContain(message);
    const client = await openSocket(world.url('ws'));
    expect((await client.ask(transfer)).error?.message).toContain(message);
    client.socket.terminate();
    expect(await blockNumber()).toBe(before);
  });

  it('sends through the admin URL and with the admin key', async () => {
    for (const url of [world.url('admin'), world.url('rpc', adminKey)]) {
      expect((await post(url, transfer)).json.result).toMatch(/^0x[0-9a-f]{64}$/);
    }
  });
});

it('the admin URL does not change the chain id either', async () => {
  const { json } = await post(world.url('admin'), call('anvil_setChainId', [1]));
  expect(json.error.message).toContain('set chainID in its spec');
  expect((await post(world.url(), call('eth_chainId'))).json.result).toBe('0x7a69');
});
