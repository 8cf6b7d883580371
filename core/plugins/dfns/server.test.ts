import { createHmac, generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashMessage, Transaction, TypedDataEncoder, verifyMessage, Wallet } from 'ethers';
import { createEvmRpc, createRpcAgent, type EvmRpc } from '../../evm/rpc.ts';
import { creationOf } from '../../evm/testing/contracts.ts';
import { AppError } from '../../lib/errors.ts';
import { assertionOf, credentials, type DfnsWorld, startAnvil, startDfns } from './testing/world.ts';

const ether = 10n ** 18n;
const receiver = '0x00000000000000000000000000000000DeaDBeef';

let anvil: Awaited<ReturnType<typeof startAnvil>>;
const agent = createRpcAgent();
let rpc: EvmRpc;
let world: DfnsWorld;

beforeAll(async () => {
  anvil = await startAnvil();
  rpc = createEvmRpc({ url: anvil.url, agent });
  world = await startDfns({ rpcUrl: anvil.url });
});
afterAll(async () => {
  await world.close();
  await agent.destroy();
  await anvil.close();
});

const fund = (address: string, wei = 10n * ether) =>
  rpc.call('anvil_setBalance', [address, `0x${wei.toString(16)}`]);

async function newWallet(members: object = {}) {
  const { status, body } = await world.ask('POST', '/wallets', { network: 'Ethereum', ...members });
  expect([status, body.status]).toEqual([200, 'Active']);
  return body;
}

async function fundedWallet() {
  const wallet = await newWallet();
  await fund(wallet.address);
  return wallet;
}

/** Asks until a transfer or transaction is settled. */
async function settled(path: string, from = world) {
  for (let tries = 0; tries < 500; tries += 1) {
    const { body } = await from.ask('GET', path);
    if (['Confirmed', 'Failed'].includes(body.status)) return body;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`not settled: ${path}`);
}

describe('who may use it', () => {
  it.each([
    ['no token', undefined],
    ['another token', `${credentials.token}x`],
  ])('nobody with %s', async (_reason, token) => {
    const headers = { authorization: token === undefined ? '' : `Bearer ${token}` };
    const answer = await world.send('GET', '/wallets', { headers });
    expect(answer).toEqual({
      status: 401,
      body: { error: { message: expect.stringContaining('authToken') } },
    });
  });

  const text = JSON.stringify({ network: 'Ethereum', name: 'signed' });
  const sendSigned = (token: string, method = 'POST', path = '/wallets', body = text) =>
    world.send(method, path, { text: body, headers: { 'x-dfns-useraction': token } });

  it('a signature is used once', async () => {
    const token = await world.userAction('POST', '/wallets', text);
    expect((await sendSigned(token)).status).toBe(200);
    expect((await sendSigned(token)).status).toBe(403);
  });

  it.each([
    ['payload', 'POST', '/wallets', text.replace('signed', 'other')],
    ['path', 'POST', '/keys', text],
    ['method', 'PUT', '/wallets', text],
  ])('a signature is for no other %s', async (_what, method, path, payload) => {
    const token = await world.userAction(method, path, payload);
    expect((await sendSigned(token)).status).toBe(403);
  });

  it('nothing is changed without a signature', async () => {
    expect((await world.send('POST', '/wallets', { text })).status).toBe(403);
  });

  it('a signature by another key, or of another challenge, is refused', async () => {
    const init = { userActionPayload: '', userActionHttpMethod: 'POST', userActionHttpPath: '/wallets' };
    const challengeOf = async () =>
      (await world.send('POST', '/auth/action/init', { text: JSON.stringify(init) })).body;
    const other = generateKeyPairSync('ed25519')
      .privateKey.export({ type: 'pkcs8', format: 'pem' })
      .toString();
    const [one, two] = [await challengeOf(), await challengeOf()];
    const mixed = { ...assertionOf(one), challengeIdentifier: two.challengeIdentifier };
    for (const assertion of [assertionOf(one, other), mixed]) {
      expect((await world.send('POST', '/auth/action', { text: JSON.stringify(assertion) })).status).toBe(
        401,
      );
    }
  });
});

describe('wallets', () => {
  it('can be listed page by page, the newest first', async () => {
    const names = ['a', 'b', 'c'];
    for (const name of names) await newWallet({ name });
    const first = (await world.ask('GET', '/wallets?limit=2')).body;
    expect(first.items.map(({ name }: { name: string }) => name)).toEqual(['c', 'b']);
    const second = (await world.ask('GET', `/wallets?limit=2&paginationToken=${first.nextPageToken}`)).body;
    expect(second.items[0].name).toBe('a');
  });

  it('have names and tags that change', async () => {
    const { id } = await newWallet({ tags: ['one'] });
    await world.ask('PUT', `/wallets/${id}`, { name: 'treasury' });
    await world.ask('PUT', `/wallets/${id}/tags`, { tags: ['two'] });
    await world.ask('DELETE', `/wallets/${id}/tags`, { tags: ['one'] });
    expect((await world.ask('GET', `/wallets/${id}`)).body).toMatchObject({
      name: 'treasury',
      tags: ['two'],
    });
  });

  it('with the same external id are one, and another request with it is a conflict', async () => {
    const [one, two] = [await newWallet({ externalId: 'x-1' }), await newWallet({ externalId: 'x-1' })];
    expect(two).toEqual(one);
    const other = await world.ask('POST', '/wallets', { network: 'EthereumSepolia', externalId: 'x-1' });
    expect([other.status, other.body.error.message]).toEqual([409, expect.stringContaining('externalId')]);
  });

  it('may use an existing key', async () => {
    const key = (await world.ask('POST', '/keys', { scheme: 'ECDSA', curve: 'secp256k1', name: 'k' })).body;
    const wallet = await newWallet({ signingKey: { id: key.id } });
    expect(wallet.signingKey).toMatchObject({ id: key.id, publicKey: key.publicKey });
    expect((await world.ask('GET', '/keys')).body.items).toContainEqual(key);
  });

  it('leave no private key in the database', async () => {
    const { id } = await fundedWallet();
    await world.ask('POST', `/wallets/${id}/transfers`, { kind: 'Native', to: receiver, amount: '1' });
    const files = ['dfns.sqlite', 'dfns.sqlite-wal'].map((name) => readFileSync(join(world.folder, name)));
    const bytes = Buffer.concat(files);
    expect(bytes.includes(Buffer.from(id))).toBe(true);
    const { signingKey } = (await world.ask('GET', `/wallets/${id}`)).body;
    const secret = createHmac('sha256', Buffer.alloc(32, 7)).update(`key/${signingKey.id}`).digest('hex');
    expect(new Wallet(secret).signingKey.compressedPublicKey.slice(2)).toBe(signingKey.publicKey);
    for (const form of [secret, Buffer.from(secret, 'hex')]) expect(bytes.includes(form)).toBe(false);
  });
});

describe('what is sent', () => {
  it('a transfer is confirmed by the chain', async () => {
    const { id } = await fundedWallet();
    const before = BigInt(String(await rpc.call('eth_getBalance', [receiver, 'latest'])));
    const { body } = await world.ask('POST', `/wallets/${id}/transfers`, {
      kind: 'Native',
      to: receiver,
      amount: '7',
    });
    const done = await settled(`/wallets/${id}/transfers/${body.id}`);
    expect(done).toMatchObject({
      status: 'Confirmed',
      txHash: body.txHash,
      fee: expect.stringMatching(/^\d+$/),
    });
    const after = BigInt(String(await rpc.call('eth_getBalance', [receiver, 'latest'])));
    expect(after - before).toBe(7n);
  });

  it('many at once get nonces that follow each other, and all are mined', async () => {
    const { id, address } = await fundedWallet();
    const bodies = Array.from({ length: 12 }, (_, index) => ({
      kind: 'Evm',
      to: receiver,
      value: String(index),
    }));
    const sent = await Promise.all(
      bodies.map((body) => world.ask('POST', `/wallets/${id}/transactions`, body)),
    );
    const done = await Promise.all(sent.map(({ body }) => settled(`/wallets/${id}/transactions/${body.id}`)));
    expect(done.map(({ status }) => status)).toEqual(bodies.map(() => 'Confirmed'));
    expect(await rpc.call('eth_getTransactionCount', [address, 'latest'])).toBe('0xc');
  });

  it('the same external id is sent once', async () => {
    const { id, address } = await fundedWallet();
    const body = { kind: 'Native', to: receiver, amount: '1', externalId: 'pay-1' };
    const answers = await Promise.all(
      [1, 2, 3].map(() => world.ask('POST', `/wallets/${id}/transfers`, body)),
    );
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1);
    await settled(`/wallets/${id}/transfers/${answers[0]?.body.id}`);
    expect(await rpc.call('eth_getTransactionCount', [address, 'latest'])).toBe('0x1');
    const other = await world.ask('POST', `/wallets/${id}/transfers`, { ...body, amount: '2' });
    expect(other.status).toBe(409);
  });

  it.each([
    ['funds', { kind: 'Native', to: receiver, amount: '1' }, /insufficient funds|balance/i],
    ['a contract that reverts', { kind: 'Evm', data: '0x60006000fd' }, /revert/i],
  ])('what the chain would not take fails with its reason: %s', async (_reason, body, reason) => {
    const wallet = await newWallet();
    if (body.kind === 'Evm') await fund(wallet.address);
    const path = body.kind === 'Evm' ? 'transactions' : 'transfers';
    const answer = await world.ask('POST', `/wallets/${wallet.id}/${path}`, body);
    expect(answer.body).toMatchObject({ status: 'Failed', reason: expect.stringMatching(reason) });
  });

  it('a transaction that is stored when the process ends is sent by the next one, once', async () => {
    // What is sent does not arrive, and nobody knows whether it did.
    const lost: EvmRpc = {
      call: rpc.call,
      async batch(calls, options) {
        const isSend = calls[0]?.method === 'eth_sendRawTransaction';
        return isSend
          ? calls.map(() => ({ error: new AppError('Unavailable', 'lost') }))
          : rpc.batch(calls, options);
      },
    };
    const first = await startDfns({ rpcUrl: anvil.url, rpc: lost });
    const wallet = (await first.ask('POST', '/wallets', { network: 'Ethereum' })).body;
    await fund(wallet.address);
    const body = { kind: 'Native', to: receiver, amount: '5' };
    const sent = (await first.ask('POST', `/wallets/${wallet.id}/transfers`, body)).body;
    expect(sent).toMatchObject({ status: 'Pending', txHash: expect.any(String) });
    await first.stop();
    const second = await startDfns({ rpcUrl: anvil.url, folder: first.folder });
    const done = await settled(`/wallets/${wallet.id}/transfers/${sent.id}`, second);
    expect(done).toMatchObject({ status: 'Confirmed', txHash: sent.txHash });
    expect(await rpc.call('eth_getTransactionCount', [wallet.address, 'latest'])).toBe('0x1');
    await second.close();
  });
});

describe('signatures', () => {
  it('of a message, of typed data and of a hash are those of the wallet', async () => {
    const { id, address } = await newWallet();
    const sign = async (body: object) => (await world.ask('POST', `/wallets/${id}/signatures`, body)).body;
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
    const { items } = (await world.ask('GET', `/wallets/${id}/signatures`)).body;
    expect(items).toHaveLength(4);
    expect((await world.ask('GET', `/wallets/${id}/signatures/${typed.id}`)).body).toEqual(typed);
  });

  it('of a transaction are for this chain only', async () => {
    const { id, address } = await newWallet();
    const unsigned = (chainId: number) =>
      Transaction.from({ chainId, to: receiver, gasLimit: 21_000, maxFeePerGas: 1, type: 2 })
        .unsignedSerialized;
    const sign = (chainId: number) =>
      world.ask('POST', `/wallets/${id}/signatures`, { kind: 'Transaction', transaction: unsigned(chainId) });
    expect(Transaction.from((await sign(31337)).body.signedData).from).toBe(address);
    expect((await sign(1)).body.error.message).toMatch(/chain id 1, but this network has 31337/);
  });
});

describe('what a wallet has', () => {
  it('coins and tokens, with their history', async () => {
    const [wallet, other] = [await fundedWallet(), await newWallet()];
    const data = await creationOf('Token', ['Coin', 'COIN', 1000n, wallet.address]);
    const created = (await world.ask('POST', `/wallets/${wallet.id}/transactions`, { kind: 'Evm', data }))
      .body;
    const { txHash } = await settled(`/wallets/${wallet.id}/transactions/${created.id}`);
    const receipt = (await rpc.call('eth_getTransactionReceipt', [txHash])) as { contractAddress: string };
    const contract = receipt.contractAddress;
    for (const body of [
      { kind: 'Native', to: other.address, amount: '5' },
      { kind: 'Erc20', contract, to: other.address, amount: '30' },
    ]) {
      const sent = (await world.ask('POST', `/wallets/${wallet.id}/transfers`, body)).body;
      expect(await settled(`/wallets/${wallet.id}/transfers/${sent.id}`)).toMatchObject({
        status: 'Confirmed',
      });
    }
    expect((await world.ask('GET', `/wallets/${other.id}/assets`)).body.assets).toEqual([
      { kind: 'Native', symbol: 'ETH', decimals: 18, balance: '5', verified: true },
      { kind: 'Erc20', contract, symbol: 'COIN', decimals: 18, balance: '30', verified: false },
    ]);
    const { items } = (await world.ask('GET', `/wallets/${other.id}/history`)).body;
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
      await world.ask('GET', `/wallets/${wallet.id}/history?direction=Out&kind=NativeTransfer`)
    ).body;
    expect(sentOnly.items).toMatchObject([{ value: '5', fee: expect.stringMatching(/^[1-9]\d+$/) }]);
  });

  it('forgets what did not happen when the chain goes back to a snapshot', async () => {
    const wallet = await newWallet();
    const historyOf = async () => (await world.ask('GET', `/wallets/${wallet.id}/history`)).body.items;
    const faucet = await startDfns({ rpcUrl: anvil.url });
    const giver = (await faucet.ask('POST', '/wallets', { network: 'Ethereum' })).body;
    await fund(giver.address);
    const give = async (amount: string) => {
      const body = { kind: 'Native', to: wallet.address, amount };
      const { id } = (await faucet.ask('POST', `/wallets/${giver.id}/transfers`, body)).body;
      await settled(`/wallets/${giver.id}/transfers/${id}`, faucet);
    };
    await give('1');
    const snapshot = await rpc.call('evm_snapshot', []);
    await give('2');
    expect((await historyOf()).map(({ value }: { value: string }) => value)).toEqual(['2', '1']);
    await rpc.call('evm_revert', [snapshot]);
    await rpc.call('anvil_mine', ['0x3']);
    expect((await historyOf()).map(({ value }: { value: string }) => value)).toEqual(['1']);
    await faucet.close();
  });
});

describe('what is not served', () => {
  it.each([
    ['a part of Dfns that is not here', 'GET', '/webhooks', 501],
    ['a part of wallets that is not here', 'GET', '/wallets/wa-1/nfts', 501],
    ['what Dfns does not have either', 'GET', '/nothing', 404],
    ['a wallet that does not exist', 'GET', '/wallets/wa-1', 404],
    ['a page that is too large', 'GET', '/wallets?limit=5000', 400],
    ['a page that does not exist', 'GET', '/wallets?paginationToken=x', 400],
  ])('%s', async (_reason, method, path, status) => {
    const answer = await world.ask(method, path);
    expect(answer).toEqual({ status, body: { error: { message: expect.any(String) } } });
  });

  it.each([
    ['another network', { network: 'Solana' }, /network: this network serves Ethereum, EthereumSepolia/],
    ['a member that means nothing here', { network: 'Ethereum', delegateTo: 'us-1' }, /delegateTo/],
  ])('a wallet on %s', async (_reason, body, message) => {
    const answer = await world.ask('POST', '/wallets', body);
    expect(answer).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringMatching(message) } },
    });
  });

  it('a body that is too large', async () => {
    const answer = await world.send('POST', '/auth/action/init', { text: 'x'.repeat(600_000) });
    expect(answer).toMatchObject({
      status: 413,
      body: { error: { message: expect.stringContaining('512 KiB') } },
    });
  });
});
