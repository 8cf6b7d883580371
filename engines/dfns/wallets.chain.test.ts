import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Wallet } from 'ethers';
import { creationOf } from '../../core/evm/testing/contracts.ts';
import { createScene, receiver } from './testing/scene.ts';
import { startDfns } from './testing/world.ts';

const scene = createScene();

describe('wallets', () => {
  it('can be listed page by page, the newest first', async () => {
    const names = ['a', 'b', 'c'];
    for (const name of names) await scene.newWallet({ name });
    const first = (await scene.world.ask('GET', '/wallets?limit=2')).body;
    expect(first.items.map(({ name }: { name: string }) => name)).toEqual(['c', 'b']);
    const second = (await scene.world.ask('GET', `/wallets?limit=2&paginationToken=${first.nextPageToken}`))
      .body;
    expect(second.items[0].name).toBe('a');
  });

  it('have names and tags that change', async () => {
    const { id } = await scene.newWallet({ tags: ['one'] });
    await scene.world.ask('PUT', `/wallets/${id}`, { name: 'treasury' });
    await scene.world.ask('PUT', `/wallets/${id}/tags`, { tags: ['two'] });
    await scene.world.ask('DELETE', `/wallets/${id}/tags`, { tags: ['one'] });
    expect((await scene.world.ask('GET', `/wallets/${id}`)).body).toMatchObject({
      name: 'treasury',
      tags: ['two'],
    });
  });

  it('with the same external id are one, and another request with it is a conflict', async () => {
    const [one, two] = [
      await scene.newWallet({ externalId: 'x-1' }),
      await scene.newWallet({ externalId: 'x-1' }),
    ];
    expect(two).toEqual(one);
    const other = await scene.world.ask('POST', '/wallets', {
      network: 'EthereumSepolia',
      externalId: 'x-1',
    });
    expect([other.status, other.body.error.message]).toEqual([409, expect.stringContaining('externalId')]);
  });

  it('requested with the same external id at the same time are one', async () => {
    const body = { network: 'Ethereum', externalId: 'x-2' };
    const answers = await Promise.all([1, 2].map(() => scene.world.ask('POST', '/wallets', body)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[1]?.body).toEqual(answers[0]?.body);
  });

  it('cannot take over the external id of another', async () => {
    await scene.newWallet({ externalId: 'x-3' });
    const { id } = await scene.newWallet();
    const { status, body } = await scene.world.ask('PUT', `/wallets/${id}`, { externalId: 'x-3' });
    expect([status, body.error.message]).toEqual([409, expect.stringContaining('externalId')]);
  });

  it('may use an existing key', async () => {
    const key = (await scene.world.ask('POST', '/keys', { scheme: 'ECDSA', curve: 'secp256k1', name: 'k' }))
      .body;
    const wallet = await scene.newWallet({ signingKey: { id: key.id } });
    expect(wallet.signingKey).toMatchObject({ id: key.id, publicKey: key.publicKey });
    expect((await scene.world.ask('GET', '/keys')).body.items).toContainEqual(key);
  });

  it('leave no private key in the database', async () => {
    const { id } = await scene.fundedWallet();
    await scene.world.ask('POST', `/wallets/${id}/transfers`, { kind: 'Native', to: receiver, amount: '1' });
    const files = ['dfns.sqlite', 'dfns.sqlite-wal'].map((name) =>
      readFileSync(join(scene.world.folder, name)),
    );
    const bytes = Buffer.concat(files);
    expect(bytes.includes(Buffer.from(id))).toBe(true);
    const { signingKey } = (await scene.world.ask('GET', `/wallets/${id}`)).body;
    const secret = createHmac('sha256', Buffer.alloc(32, 7)).update(`key/${signingKey.id}`).digest('hex');
    expect(new Wallet(secret).signingKey.compressedPublicKey.slice(2)).toBe(signingKey.publicKey);
    for (const form of [secret, Buffer.from(secret, 'hex')]) expect(bytes.includes(form)).toBe(false);
  });
});

describe('what a wallet has', () => {
  it('coins and tokens, with their history', async () => {
    const [wallet, other] = [await scene.fundedWallet(), await scene.newWallet()];
    const data = await creationOf('Token', ['Coin', 'COIN', 1000n, wallet.address]);
    const created = (
      await scene.world.ask('POST', `/wallets/${wallet.id}/transactions`, { kind: 'Evm', data })
    ).body;
    const { txHash } = await scene.settled(`/wallets/${wallet.id}/transactions/${created.id}`);
    const receipt = (await scene.rpc.call('eth_getTransactionReceipt', [txHash])) as {
      contractAddress: string;
    };
    const contract = receipt.contractAddress;
    for (const body of [
      { kind: 'Native', to: other.address, amount: '5' },
      { kind: 'Erc20', contract, to: other.address, amount: '30' },
    ]) {
      const sent = (await scene.world.ask('POST', `/wallets/${wallet.id}/transfers`, body)).body;
      expect(await scene.settled(`/wallets/${wallet.id}/transfers/${sent.id}`)).toMatchObject({
        status: 'Confirmed',
      });
    }
    expect((await scene.world.ask('GET', `/wallets/${other.id}/assets`)).body.assets).toEqual([
      { kind: 'Native', symbol: 'ETH', decimals: 18, balance: '5', verified: true },
      { kind: 'Erc20', contract, symbol: 'COIN', decimals: 18, balance: '30', verified: false },
    ]);
    const { items } = (await scene.world.ask('GET', `/wallets/${other.id}/history`)).body;
    expect(items).toMatchObject([
      { kind: 'Erc20Transfer', direction: 'In', contract, value: '30', symbol: 'COIN', decimals: 18 },
      {
        kind: 'NativeTransfer',
        direction: 'In',
        value: '5',
        symbol: 'ETH',
        metadata: { asset: { symbol: 'ETH' } },
      },
    ]);
    const sentOnly = (
      await scene.world.ask('GET', `/wallets/${wallet.id}/history?direction=Out&kind=NativeTransfer`)
    ).body;
    expect(sentOnly.items).toMatchObject([{ value: '5', fee: expect.stringMatching(/^[1-9]\d+$/) }]);
  });

  it('forgets what did not happen when the chain goes back to a snapshot', async () => {
    const wallet = await scene.newWallet();
    const historyOf = async () => (await scene.world.ask('GET', `/wallets/${wallet.id}/history`)).body.items;
    const faucet = await startDfns({ rpcUrl: scene.rpcUrl });
    const giver = (await faucet.ask('POST', '/wallets', { network: 'Ethereum' })).body;
    await scene.fund(giver.address);
    const give = async (amount: string) => {
      const body = { kind: 'Native', to: wallet.address, amount };
      const { id } = (await faucet.ask('POST', `/wallets/${giver.id}/transfers`, body)).body;
      await scene.settled(`/wallets/${giver.id}/transfers/${id}`, faucet);
    };
    await give('1');
    const snapshot = await scene.rpc.call('evm_snapshot', []);
    await give('2');
    expect((await historyOf()).map(({ value }: { value: string }) => value)).toEqual(['2', '1']);
    await scene.rpc.call('evm_revert', [snapshot]);
    await scene.rpc.call('anvil_mine', ['0x3']);
    expect((await historyOf()).map(({ value }: { value: string }) => value)).toEqual(['1']);
    await faucet.close();
  });
});
