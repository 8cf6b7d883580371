import { parseEther } from 'ethers';
import { kubectl } from '../lib/cluster.ts';
import { createHotKey, endpointsOf, type HotKey, reach, remove } from '../lib/networks.ts';
import { call, until } from '../lib/service.ts';
import { reachBlock, withProvider } from './ethereumChain.ts';
import { ask, losePods, maintain, minuteMs, start, stopIdle, untilNothingIsLeft } from './families.ts';

const receiver = '0x00000000000000000000000000000000000000B2';

interface RealCase {
  type: string;
  spec: object;
  gasLimit: bigint;
  /** Of one block, in seconds, rounded down. */
  blockTime: number;
  caveat: string;
  /** It makes blocks of transactions alone. */
  isIdle?: true;
}

/** What networks of a Layer 2 type with the profile "real" do on an installation. */
export function describeRealLayer2({ type, spec, gasLimit, blockTime, caveat, isIdle }: RealCase): void {
  let key: HotKey;
  const chain = () => ({ ...spec, profile: 'real', privateKeyRef: { name: key.name } });
  const pay = (url: string | undefined, amount = '1') =>
    withProvider(url, async (provider) => {
      const sent = await key.wallet
        .connect(provider)
        .sendTransaction({ to: receiver, value: parseEther(amount) });
      return sent.wait();
    });
  const balance = (url: string | undefined) => withProvider(url, (provider) => provider.getBalance(receiver));
  const genesisOf = (url: string | undefined) =>
    withProvider(url, async (provider) => (await provider.getBlock(0))?.hash);

  describe(`a ${type} network with the profile "real"`, () => {
    let id: string;
    let urls: Record<string, string>;
    beforeAll(async () => {
      key = await createHotKey();
      id = await start(type, chain());
      urls = await endpointsOf(id);
    });
    afterAll(() => remove(id));

    it('is Operational when it can be used, and says what is not faithful', async () => {
      const { status } = await reach(id, 'Operational');
      expect(status).toMatchObject({
        incarnation: { profile: 'real' },
        message: expect.stringContaining(caveat),
      });
      expect(Object.keys(urls).sort()).toEqual(['admin', 'admin-ws', 'rpc', 'verify', 'ws']);
      await withProvider(urls.rpc, async (provider) => {
        expect(await provider.getBlockNumber()).toBeGreaterThan(isIdle ? -1 : 0);
        expect((await provider.getNetwork()).chainId).toBe(BigInt(status.chainID));
        expect(await provider.getBalance(key.wallet.address, 0)).toBe(parseEther('1000000'));
      });
    });

    it('applies block time and gas limit', async () => {
      if (isIdle) while (((await pay(urls.rpc, '0'))?.blockNumber ?? 6) < 6);
      await reachBlock(urls.rpc, 6);
      await withProvider(urls.rpc, async (provider) => {
        const [early, late] = [await provider.getBlock(2), await provider.getBlock(6)];
        expect(late?.gasLimit).toBe(gasLimit);
        expect((late?.timestamp ?? 0) - (early?.timestamp ?? 0)).toBeGreaterThanOrEqual(4 * blockTime);
      });
    });

    it('executes transactions that come through its URL and through submit', async () => {
      expect((await pay(urls.rpc))?.status).toBe(1);
      const { status, body } = await call('POST', `/v1alpha/networks/${id}/faucet`, {
        body: { address: receiver },
      });
      expect([status, body]).toEqual([202, { txHashes: [expect.any(String)] }]);
      await until(
        'the faucet',
        () => balance(urls.rpc),
        (amount) => amount === parseEther('2'),
      );
    });

    it("closes the client's own methods on the public URL", async () => {
      const ask = (url: string | undefined, method: string) =>
        withProvider(url, (provider) =>
          provider.send(method, []).then(
            () => 'open',
            () => 'closed',
          ),
        );
      for (const method of ['debug_setHead', 'personal_listAccounts', 'miner_start', 'admin_peers']) {
        expect([method, await ask(urls.rpc, method)]).toEqual([method, 'closed']);
      }
    });

    it('runs its pods without rights', async () => {
      const { stdout } = await kubectl([
        'get',
        'pods',
        '--selector',
        `slipway.dev/network=${id}`,
        '--output',
        'json',
      ]);
      const containers = JSON.parse(stdout).items.flatMap(
        ({ spec }: { spec: { containers: object[] } }) => spec.containers,
      );
      expect(containers.length).toBeGreaterThan(0);
      for (const container of containers) {
        expect(container).toMatchObject({
          securityContext: {
            readOnlyRootFilesystem: true,
            allowPrivilegeEscalation: false,
            capabilities: { drop: ['ALL'] },
          },
        });
      }
    });

    it('Restart keeps the chain, where its pod keeps its data', async () => {
      const before = await genesisOf(urls.rpc);
      await maintain(id, 'Restart', 1);
      expect(await genesisOf(urls.rpc)).toBe(before);
    });

    it('ResetState and an idle stop begin chains that differ', async () => {
      const first = await genesisOf(urls.rpc);
      await maintain(id, 'ResetState', 2);
      const second = await genesisOf(urls.rpc);
      expect(second).not.toBe(first);
      await stopIdle(id);
      expect(await genesisOf(urls.rpc)).not.toBe(second);
      expect(await balance(urls.rpc)).toBe(0n);
    });

    it('refuses a fork', async () => {
      const { status, body } = await ask(type, { ...chain(), forking: { enabled: true } });
      const path = `spec.chain.${type.toLowerCase()}.forking`;
      expect([status, body.details]).toEqual([400, [{ path, message: expect.stringContaining('"light"') }]]);
    });

    it('leaves nothing when it is deleted', async () => {
      await remove(id);
      await untilNothingIsLeft(id);
    });
  });

  describe(`a persistent ${type} network with the profile "real"`, () => {
    it('keeps its chain when its pods are lost', async () => {
      const id = await start(type, chain(), { persistent: true });
      const { rpc } = await endpointsOf(id);
      const receipt = await pay(rpc);
      await losePods(id);
      const found = await until(
        'the receipt',
        () =>
          withProvider(rpc, (provider) => provider.getTransactionReceipt(receipt?.hash ?? '')).catch(
            () => null,
          ),
        (answer) => answer !== null,
        2 * minuteMs,
      );
      expect(found?.blockHash).toBe(receipt?.blockHash);
      await pay(rpc);
      await remove(id);
    });
  });
}
