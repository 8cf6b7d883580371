import type { JsonRpcProvider } from 'ethers';
import { kubectl } from '../lib/cluster.ts';
import { createHotKey, endpointsOf, type HotKey, reach, remove } from '../lib/networks.ts';
import { call, until } from '../lib/service.ts';
import { askBeacon, reachBlock, withProvider } from './ethereumChain.ts';
import { minuteMs, start, untilNothingIsLeft } from './families.ts';

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

  it('begin a new chain once none of them has the former one, and say where it ended', async () => {
    const before = await reachBlock(urls.rpc, 1);
    const selector = `slipway.dev/network=${id},slipway.dev/part in (el-1,el-2)`;
    expect((await kubectl(['delete', 'pods', '--selector', selector, '--wait=true'])).code).toBe(0);
    const { body } = await until(
      'the next chain',
      () => call('GET', `/v1alpha/networks/${id}`),
      ({ body: { status } }) => status.state === 'Operational' && status.previousChain !== undefined,
      5 * minuteMs,
    );
    expect(body.status.previousChain.reason).toBe(
      'the pods of el-1 and el-2 were replaced, and no other one has their data',
    );
    expect(body.status.previousChain.lastBlock).toBeGreaterThanOrEqual(before);
    expect(await reachBlock(urls['el-2'], 1)).toBeLessThan(before);
  });

  it('leave nothing behind when they are deleted', async () => {
    await remove(id);
    await untilNothingIsLeft(id);
  });
});

it('two participants on volumes go on together when all of them were down for more than an epoch', async () => {
  const { name } = await createHotKey();
  const chain = { privateKeyRef: { name }, blockTime: 2, participants: [{ count: 2 }] };
  const id = await start('Ethereum', chain, { persistent: true });
  const { rpc } = await endpointsOf(id);
  const before = await reachBlock(rpc, 5);
  expect((await call('POST', `/v1alpha/networks/${id}/stop`)).status).toBe(200);
  await until(
    'a network without pods',
    () => kubectl(['get', 'pods', '--selector', `slipway.dev/network=${id}`, '--output', 'name']),
    ({ stdout }) => stdout.trim() === '',
  );
  const epochMs = 32 * 2_000;
  const nextMs = Date.now() + 2 * epochMs;
  await until(
    'two epochs later',
    async () => Date.now(),
    (nowMs) => nowMs > nextMs,
    3 * epochMs,
  );
  expect((await call('POST', `/v1alpha/networks/${id}/wake`)).status).toBe(200);
  const { status } = await reach(id, 'Operational', 3 * minuteMs);
  expect(status.previousChain).toBeUndefined();
  // More than those that one of them proposes alone before it has the other one's.
  expect(await reachBlock(rpc, before + 20)).toBeGreaterThan(before);
  await remove(id);
});
