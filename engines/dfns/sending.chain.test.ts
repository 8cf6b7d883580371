import { hashMessage, Transaction, TypedDataEncoder, verifyMessage } from 'ethers';
import type { EvmRpc } from '../../core/evm/rpc.ts';
import { AppError } from '../../core/lib/errors.ts';
import { createScene, receiver } from './testing/scene.ts';
import { startDfns } from './testing/world.ts';

const scene = createScene();

describe('what is sent', () => {
  it('a transfer is confirmed by the chain', async () => {
    const { id } = await scene.fundedWallet();
    const before = BigInt(String(await scene.rpc.call('eth_getBalance', [receiver, 'latest'])));
    const { body } = await scene.world.ask('POST', `/wallets/${id}/transfers`, {
      kind: 'Native',
      to: receiver,
      amount: '7',
    });
    const done = await scene.settled(`/wallets/${id}/transfers/${body.id}`);
    expect(done).toMatchObject({
      status: 'Confirmed',
      txHash: body.txHash,
      fee: expect.stringMatching(/^\d+$/),
    });
    const after = BigInt(String(await scene.rpc.call('eth_getBalance', [receiver, 'latest'])));
    expect(after - before).toBe(7n);
  });

  it('many at once get nonces that follow each other, and all are mined', async () => {
    const { id, address } = await scene.fundedWallet();
    const bodies = Array.from({ length: 12 }, (_, index) => ({
      kind: 'Evm',
      to: receiver,
      value: String(index),
    }));
    const sent = await Promise.all(
      bodies.map((body) => scene.world.ask('POST', `/wallets/${id}/transactions`, body)),
    );
    const done = await Promise.all(
      sent.map(({ body }) => scene.settled(`/wallets/${id}/transactions/${body.id}`)),
    );
    expect(done.map(({ status }) => status)).toEqual(bodies.map(() => 'Confirmed'));
    expect(await scene.rpc.call('eth_getTransactionCount', [address, 'latest'])).toBe('0xc');
  });

  it('the same external id is sent once', async () => {
    const { id, address } = await scene.fundedWallet();
    const body = { kind: 'Native', to: receiver, amount: '1', externalId: 'pay-1' };
    const answers = await Promise.all(
      [1, 2, 3].map(() => scene.world.ask('POST', `/wallets/${id}/transfers`, body)),
    );
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1);
    await scene.settled(`/wallets/${id}/transfers/${answers[0]?.body.id}`);
    expect(await scene.rpc.call('eth_getTransactionCount', [address, 'latest'])).toBe('0x1');
    const other = await scene.world.ask('POST', `/wallets/${id}/transfers`, { ...body, amount: '2' });
    expect(other.status).toBe(409);
  });

  it.each([
    ['funds', { kind: 'Native', to: receiver, amount: '1' }, /insufficient funds|balance/i],
    ['a contract that reverts', { kind: 'Evm', data: '0x60006000fd' }, /revert/i],
  ])('what the chain would not take fails with its reason: %s', async (_reason, body, reason) => {
    const wallet = await scene.newWallet();
    if (body.kind === 'Evm') await scene.fund(wallet.address);
    const path = body.kind === 'Evm' ? 'transactions' : 'transfers';
    const answer = await scene.world.ask('POST', `/wallets/${wallet.id}/${path}`, body);
    expect(answer.body).toMatchObject({ status: 'Failed', reason: expect.stringMatching(reason) });
  });

  it('what is confirmed before the node has answered stays confirmed', async () => {
    let beforeAnswer = async (_raw: unknown) => {};
    const slow: EvmRpc = {
      call: scene.rpc.call,
      async batch(calls, options) {
        const outcomes = await scene.rpc.batch(calls, options);
        const [first, ...others] = calls;
        if (first?.method === 'eth_sendRawTransaction' && others.length === 0)
          await beforeAnswer(first.params[0]);
        return outcomes;
      },
    };
    const world = await startDfns({ rpcUrl: scene.rpcUrl, rpc: slow });
    const { id, address } = (await world.ask('POST', '/wallets', { network: 'Ethereum' })).body;
    await scene.fund(address);
    const path = `/wallets/${id}/transactions`;
    // It is never mined, so what is open is followed all the time.
    await world.ask('POST', path, { kind: 'Evm', to: receiver, nonce: 9 });
    const followed = world.dfns.store.openSends().map(({ raw }) => raw);
    beforeAnswer = async (raw) => {
      while (!followed.includes(String(raw)) && world.dfns.store.openSends().length > 1)
        await new Promise((resolve) => setTimeout(resolve, 5));
    };
    const sent = await world.ask('POST', path, { kind: 'Evm', to: receiver, nonce: 0 });
    expect(sent.body).toMatchObject({ status: 'Confirmed', dateConfirmed: expect.any(String) });
    await world.close();
  });

  it('hundreds that cannot be mined hold up no other wallet', async () => {
    const { id } = await scene.fundedWallet();
    const { store } = scene.world.dfns;
    // Keys are followed in the order of their ids, and "!" comes before the letters and digits of ids.
    const stuck = Array.from({ length: 600 }, (_, nonce) => ({
      id: `stuck-${nonce}`,
      kind: 'transfer' as const,
      keyId: '!',
      nonce,
      hash: `0x${String(nonce).padStart(64, '0')}`,
      raw: '0x02',
    }));
    for (const send of stuck) store.addSend(send);
    const { body } = await scene.world.ask('POST', `/wallets/${id}/transfers`, {
      kind: 'Native',
      to: receiver,
      amount: '7',
    });
    const done = await scene.settled(`/wallets/${id}/transfers/${body.id}`);
    for (const send of stuck) store.removeSend(send.id);
    expect(done.status).toBe('Confirmed');
  });

  it('a transaction that is stored when the process ends is sent by the next one, once', async () => {
    // What is sent does not arrive, and nobody knows whether it did.
    const lost: EvmRpc = {
      call: scene.rpc.call,
      async batch(calls, options) {
        const isSend = calls[0]?.method === 'eth_sendRawTransaction';
        return isSend
          ? calls.map(() => ({ error: new AppError('Unavailable', 'lost') }))
          : scene.rpc.batch(calls, options);
      },
    };
    const first = await startDfns({ rpcUrl: scene.rpcUrl, rpc: lost });
    const wallet = (await first.ask('POST', '/wallets', { network: 'Ethereum' })).body;
    await scene.fund(wallet.address);
    const body = { kind: 'Native', to: receiver, amount: '5' };
    const sent = (await first.ask('POST', `/wallets/${wallet.id}/transfers`, body)).body;
    expect(sent).toMatchObject({ status: 'Pending', txHash: expect.any(String) });
    await first.stop();
    const second = await startDfns({ rpcUrl: scene.rpcUrl, folder: first.folder });
    const done = await scene.settled(`/wallets/${wallet.id}/transfers/${sent.id}`, second);
    expect(done).toMatchObject({ status: 'Confirmed', txHash: sent.txHash });
    expect(await scene.rpc.call('eth_getTransactionCount', [wallet.address, 'latest'])).toBe('0x1');
    await second.close();
  });
});

describe('signatures', () => {
  it('of a message, of typed data and of a hash are those of the wallet', async () => {
    const { id, address } = await scene.newWallet();
    const sign = async (body: object) =>
      (await scene.world.ask('POST', `/wallets/${id}/signatures`, body)).body;
    const message = await sign({ kind: 'Message', message: '0x6869' });
    expect(verifyMessage('hi', message.signature.encoded)).toBe(address);
    const types = { P: [{ name: 'a', type: 'uint256' }] };
    const typed = await sign({
      kind: 'Eip712',
      domain: { name: 'x', chainId: 31337 },
      types,
      message: { a: '1' },
    });
    const digest = TypedDataEncoder.hash({ name: 'x', chainId: 31337 }, types, { a: '1' });
    const hashed = await sign({ kind: 'Hash', hash: digest });
    expect(hashed.signature).toEqual(typed.signature);
    expect((await sign({ kind: 'Hash', hash: hashMessage('hi') })).signature).toEqual(message.signature);
    const { items } = (await scene.world.ask('GET', `/wallets/${id}/signatures`)).body;
    expect(items).toHaveLength(4);
    expect((await scene.world.ask('GET', `/wallets/${id}/signatures/${typed.id}`)).body).toEqual(typed);
  });

  it('of a transaction are for this chain only', async () => {
    const { id, address } = await scene.newWallet();
    const unsigned = (chainId: number) =>
      Transaction.from({ chainId, to: receiver, gasLimit: 21_000, maxFeePerGas: 1, type: 2 })
        .unsignedSerialized;
    const sign = (chainId: number) =>
      scene.world.ask('POST', `/wallets/${id}/signatures`, {
        kind: 'Transaction',
        transaction: unsigned(chainId),
      });
    expect(Transaction.from((await sign(31337)).body.signedData).from).toBe(address);
    expect((await sign(1)).body.error.message).toMatch(/chain id 1, but this network has 31337/);
  });
});
