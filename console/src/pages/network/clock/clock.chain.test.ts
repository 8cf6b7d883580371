import { JsonRpcProvider } from 'ethers';
import { startPlainAnvil } from '../../../../../core/evm/testing/plainAnvil.ts';
import { mine, moveForward } from './clock.ts';

test('a chain has the blocks that are mined, and the time to which its clock is moved', async () => {
  const anvil = await startPlainAnvil([]);
  const provider = new JsonRpcProvider(anvil.url, undefined, { cacheTimeout: -1 });
  try {
    const call = (method: string, params: unknown[]): Promise<unknown> => provider.send(method, params);
    const first = await mine(call, 1_000);
    expect(first.number).toBe(1_000);
    const moved = await moveForward(call, 86_400);
    expect(moved.number).toBe(1_001);
    expect(Date.parse(moved.at) - Date.parse(first.at)).toBeGreaterThanOrEqual(86_400_000);
  } finally {
    provider.destroy();
    await anvil.close();
  }
});
