import { jest } from '@jest/globals';
import { createHotKey, endpointsOf, remove } from '../lib/networks.ts';
import { until } from '../lib/service.ts';
import { askBeacon, reachBlock, withProvider } from './ethereumChain.ts';
import { minuteMs, start, untilNothingIsLeft } from './families.ts';

jest.setTimeout(15 * minuteMs);

describe('two participants', () => {
  let id: string;
  let urls: Record<string, string>;

  beforeAll(async () => {
    const privateKeyRef = { name: (await createHotKey()).name };
    id = await start('Ethereum', { privateKeyRef, blockTime: 2, participants: [{ count: 2 }] });
    urls = await endpointsOf(id);
  });

  it('connect to each other and agree on the chain', async () => {
    const count = async (path: string) => {
      const peers = await askBeacon(urls[path], '/eth/v1/node/peer_count');
      return Number(peers.connected);
    };
    await until(
      'consensus clients as peers',
      () => count('cl-1'),
      (peers) => peers === 1,
      2 * minuteMs,
    );
    await until(
      'consensus clients as peers',
      () => count('cl-2'),
      (peers) => peers === 1,
      2 * minuteMs,
    );
    await reachBlock(urls['el-2'], 5);
    const hashOf = (url: string | undefined) =>
      withProvider(url, async (provider) => (await provider.getBlock(3))?.hash);
    expect(await hashOf(urls['el-1'])).toBe(await hashOf(urls['el-2']));
    const peers = await withProvider(urls['el-1'], (provider) => provider.send('net_peerCount', []));
    expect(Number(peers)).toBe(1);
  });

  it('justify and finalise blocks', async () => {
    await withProvider(urls.rpc, async (provider) => {
      const finalized = async () => (await provider.getBlock('finalized').catch(() => null))?.number ?? 0;
      const first = await until('a finalised block', finalized, (number) => number > 0, 8 * minuteMs);
      await until('the next one', finalized, (number) => number > first, 3 * minuteMs);
    });
  });

  it('leave nothing behind when they are deleted', async () => {
    await remove(id);
    await untilNothingIsLeft(id);
  });
});
