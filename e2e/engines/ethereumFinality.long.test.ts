import { jest } from '@jest/globals';
import type { JsonRpcProvider } from 'ethers';
import { kubectl } from '../lib/cluster.ts';
import { createHotKey, endpointsOf, type HotKey, remove } from '../lib/networks.ts';
import { call, until } from '../lib/service.ts';
import { askBeacon, reachBlock, withProvider } from './ethereumChain.ts';
import { minuteMs, start, untilNothingIsLeft } from './families.ts';

jest.setTimeout(15 * minuteMs);

describe('two participants', () => {
  let id: string;
  let urls: Record<string, string>;
  let key: HotKey;

  beforeAll(async () => {
    key = await createHotKey();
    const privateKeyRef = { name: key.name };
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

  it.each(['el-1', 'el-1,cl-1,vc-1'])('give %s the chain back before anybody is answered', async (lost) => {
    const receipt = await withProvider(urls.rpc, async (provider) => {
      const sent = await key.wallet.connect(provider).sendTransaction({ to: key.wallet.address });
      return sent.wait();
    });
    const before = await reachBlock(urls['el-2'], (receipt?.blockNumber ?? 0) + 20);
    const selector = `slipway.dev/network=${id},slipway.dev/part in (${lost})`;
    const { code } = await kubectl(['delete', 'pods', '--selector', selector, '--wait=true']);
    expect(code).toBe(0);
    const ask = (provider: JsonRpcProvider) => provider.getTransactionReceipt(receipt?.hash ?? '');
    const found = await until(
      'the first answer',
      () => withProvider(urls.rpc, ask).catch(() => undefined),
      (answer) => answer !== undefined,
      5 * minuteMs,
    );
    expect(found?.blockHash).toBe(receipt?.blockHash);
    expect(await reachBlock(urls.rpc, 0)).toBeGreaterThanOrEqual(before);
    const { body } = await call('GET', `/v1alpha/networks/${id}`);
    expect(body.status.previousChain).toBeUndefined();
  });

  it('leave nothing behind when they are deleted', async () => {
    await remove(id);
    await untilNothingIsLeft(id);
  });
});
