import { randomBytes } from 'node:crypto';
import { JsonRpcProvider, parseEther, type TransactionRequest, Wallet } from 'ethers';
import type { RecordedTransaction } from '../../core/api/rest/replay.ts';
import type { SceneNetwork } from '../../core/outbox/testing/scene.ts';
import { readRecorded } from './testing/recorded.ts';
import { type ReplayScene, startReplayScene, stranger } from './testing/replayScene.ts';

/** Transactions of all types that wallets send: what is recorded of them, and what a replay repeats. */

const chainId = 1_200_000_001n;
const delegate = `0x${'de'.repeat(20)}`;
/** PUSH1 0, PUSH1 0, LOG0: tells that it ran. */
const delegateCode = '0x60006000a0';
const storageKeys = [`0x${'00'.repeat(31)}01`];
const accessList = [{ address: delegate, storageKeys }];
/** The commitment and the proofs of a blob of zeros are the point at infinity. */
const infinity = `c0${'00'.repeat(47)}`;
const zeroBlob = {
  data: `0x${'00'.repeat(131_072)}`,
  commitment: `0x${infinity}`,
  proof: `0x${infinity.repeat(128)}`,
};

const providers: JsonRpcProvider[] = [];
let world: ReplayScene;
beforeAll(async () => {
  world = await startReplayScene();
});
afterAll(async () => {
  for (const provider of providers) provider.destroy();
  await world.stop();
});

/** A wallet with funds on the source, and nothing else. */
async function aWallet(): Promise<Wallet> {
  const provider = providerOf(world.source);
  await provider.send('anvil_setCode', [delegate, delegateCode]);
  const wallet = new Wallet(`0x${randomBytes(32).toString('hex')}`, provider);
  await provider.send('anvil_setBalance', [wallet.address, `0x${parseEther('10').toString(16)}`]);
  return wallet;
}

function providerOf({ url }: SceneNetwork): JsonRpcProvider {
  const provider = new JsonRpcProvider(url, undefined, { cacheTimeout: -1, pollingInterval: 20 });
  providers.push(provider);
  return provider;
}

/** What is recorded of a wallet that sends this. */
async function record(wallet: Wallet, ...requests: TransactionRequest[]): Promise<RecordedTransaction[]> {
  for (const request of requests) await (await wallet.sendTransaction(request)).wait();
  return readRecorded({ url: world.source.url, address: wallet.address });
}

async function replay(transactions: RecordedTransaction[], target: SceneNetwork) {
  await providerOf(target).send('anvil_setCode', [delegate, delegateCode]);
  const network = { chainId: String(chainId), firstBlock: 1, lastBlock: 1_000, transactions };
  const replayDocument = { networks: { [world.source.id]: network } };
  const networkMapping = { [world.source.id]: target.id };
  const { status, json } = await world.replay({ replayDocument, networkMapping });
  expect(status).toBe(200);
  return json.transactions[target.id];
}

const transactionOf = async (network: SceneNetwork, hash: string) =>
  providerOf(network).send('eth_getTransactionByHash', [hash]);

const freshTarget = () => world.addNetwork(`t-${randomBytes(4).toString('hex')}`);
const authorize = (signer: Wallet, more: object = {}) =>
  signer.authorize({ address: delegate, nonce: 0, chainId, ...more });

it('a transfer with an access list is recorded with it, and replayed with the same type and list', async () => {
  const wallet = await aWallet();
  const request = { to: stranger, value: 1n, accessList };
  const recorded = await record(wallet, { ...request, type: 1 }, { ...request, type: 2 });
  const access_list = [{ address: delegate, storage_keys: storageKeys }];
  expect(recorded).toMatchObject([
    { type: 1, access_list, gas_price: expect.stringMatching(/^\d+$/) },
    {
      type: 2,
      access_list,
      max_fee_per_gas: expect.any(String),
      max_priority_fee_per_gas: expect.any(String),
    },
  ]);
  const target = await freshTarget();
  const replayed = await replay(recorded, target);
  expect(replayed).toMatchObject([{ match: true }, { match: true }]);
  expect(replayed.flatMap(({ differences = [] }) => differences)).toEqual([]);
  const [first, second] = await Promise.all(
    replayed.map(({ hash }: { hash: string }) => transactionOf(target, hash)),
  );
  expect([first, second]).toMatchObject([
    { type: '0x1', accessList },
    { type: '0x2', accessList },
  ]);
});

it('a call with an authorization that holds on the target is replayed with it', async () => {
  const wallet = await aWallet();
  const signer = await aWallet();
  const authorizationList = [await authorize(signer)];
  const recorded = await record(wallet, {
    type: 4,
    to: signer.address,
    authorizationList,
    gasLimit: 200_000,
  });
  const one = { chain_id: `${chainId}`, address: delegate, nonce: '0', applied: true };
  expect(recorded).toMatchObject([{ type: 4, authorizations: [one], status: 'success' }]);
  const target = await freshTarget();
  const [replayed] = await replay(recorded, target);
  expect(replayed).toMatchObject({ status: 'success', match: true });
  const code = await providerOf(target).getCode(signer.address);
  expect(code).toBe(`0xef0100${delegate.slice(2)}`);
});

it('an authorization whose nonce is used up has no effect in a replay, which is a difference that names the nonce', async () => {
  const wallet = await aWallet();
  const signer = await aWallet();
  const authorizationList = [await authorize(signer)];
  const recorded = await record(wallet, { type: 4, to: stranger, authorizationList, gasLimit: 200_000 });
  const [replayed] = await replay(recorded, world.source);
  const account = signer.address.toLowerCase();
  expect(replayed).toMatchObject({ status: 'success', match: false });
  expect(replayed.differences[0]).toBe(
    `authorization 0: had no effect, because it is signed for nonce 0 of ${account}, which has 1`,
  );
});

it('an authorization for another chain had no effect and has none in the replay, so that it matches', async () => {
  const wallet = await aWallet();
  const authorizationList = [await authorize(await aWallet(), { chainId: 1n })];
  const recorded = await record(wallet, { type: 4, to: stranger, authorizationList, gasLimit: 200_000 });
  expect(recorded).toMatchObject([{ authorizations: [{ chain_id: '1', applied: false }] }]);
  const [replayed] = await replay(recorded, await freshTarget());
  expect(replayed).toMatchObject({ status: 'success', match: true });
});

it('an authorization of the recorded sender is not replayed, because another account sends, and what follows is', async () => {
  const wallet = await aWallet();
  const authorizationList = [await authorize(wallet, { nonce: 1 })];
  const recorded = await record(
    wallet,
    { type: 4, to: wallet.address, authorizationList, gasLimit: 200_000 },
    { to: stranger, value: 3n },
  );
  expect(recorded).toMatchObject([{ nonce: 0, authorizations: [{ applied: true }] }, { nonce: 2 }]);
  const [first, second] = await replay(recorded, await freshTarget());
  expect(first).toMatchObject({ status: 'success', match: false });
  expect(first.differences[0]).toBe(
    'authorization 0: not sent, because the recorded sender signed it, whom the caller replaces',
  );
  expect(second).toMatchObject({ status: 'success', match: true });
});

it('authorizations are not sent to a chain without EIP-7702, which would refuse the transaction', async () => {
  const wallet = await aWallet();
  const authorizationList = [await authorize(await aWallet())];
  const recorded = await record(wallet, { type: 4, to: stranger, authorizationList, gasLimit: 200_000 });
  const [replayed] = await replay(recorded, await world.scene.addNetwork('cancun', { type: 'Avalanche' }));
  expect(replayed).toMatchObject({ status: 'success', match: false });
  expect(replayed.differences[0]).toBe(
    'authorization 0: not sent, because the chain does not take it (EIP-7702)',
  );
});

it('a transaction with blobs is recorded with their hashes, and replayed without them, which is a difference', async () => {
  const wallet = await aWallet();
  const recorded = await record(wallet, {
    type: 3,
    to: stranger,
    value: 1n,
    gasLimit: 30_000,
    maxFeePerBlobGas: 1_000_000_000n,
    blobs: [zeroBlob],
    blobWrapperVersion: 1,
  });
  expect(recorded).toMatchObject([
    {
      type: 3,
      max_fee_per_blob_gas: '1000000000',
      blob_versioned_hashes: [expect.stringMatching(/^0x01[0-9a-f]{62}$/)],
    },
  ]);
  const [replayed] = await replay(recorded, await freshTarget());
  expect(replayed).toMatchObject({
    status: 'success',
    match: false,
    differences: ['blobs: 1 left out, because a chain keeps only their hashes'],
  });
});
