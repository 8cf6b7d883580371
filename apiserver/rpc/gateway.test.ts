import { call, post, startAnvil, startWorld, type World } from './fixtures.ts';

describe('with a real anvil behind it', () => {
  let world: World;
  let anvil: Awaited<ReturnType<typeof startAnvil>>;
  beforeAll(async () => {
    anvil = await startAnvil();
    world = await startWorld(anvil);
  });
  afterAll(async () => {
    await world.close();
    await anvil.close();
  });

  it('passes calls', async () => {
    const answer = await post(world.url(), call('eth_chainId'));
    expect(answer.json).toEqual({ jsonrpc: '2.0', id: 1, result: '0x7a69' });
  });
});
