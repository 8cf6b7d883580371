// An application that uses Dfns, as it is: only the URL and the credentials are those of a network.
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { DfnsWallet } from '@dfns/lib-viem';
import { DfnsApiClient, DfnsError } from '@dfns/sdk';
import { AsymmetricKeySigner } from '@dfns/sdk-keysigner';
import {
  createPublicClient,
  createWalletClient,
  defineChain,
  http,
  verifyMessage,
  verifyTypedData,
} from 'viem';
import { toAccount } from 'viem/accounts';

const { DFNS_URL, DFNS_ORG, DFNS_TOKEN, DFNS_CREDENTIAL, DFNS_KEY, RPC_URL, ADMIN_URL, CHAIN_ID } =
  process.env;
const clientWith = (privateKey) =>
  new DfnsApiClient({
    orgId: DFNS_ORG,
    authToken: DFNS_TOKEN,
    baseUrl: DFNS_URL,
    signer: new AsymmetricKeySigner({ credId: DFNS_CREDENTIAL, privateKey }),
  });
const dfns = clientWith(DFNS_KEY);
const chain = defineChain({
  id: Number(CHAIN_ID),
  name: 'network',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [RPC_URL] } },
});
const reader = createPublicClient({ chain, transport: http(), pollingInterval: 100 });
const admin = createPublicClient({ chain, transport: http(ADMIN_URL) });
const receiver = '0x00000000000000000000000000000000DeaDBeef';

async function fundedWallet(name) {
  const wallet = await dfns.wallets.createWallet({ body: { network: 'Ethereum', name } });
  await admin.request({ method: 'anvil_setBalance', params: [wallet.address, '0x8ac7230489e80000'] });
  return wallet;
}

async function confirmed(ask) {
  for (let tries = 0; tries < 300; tries += 1) {
    const answer = await ask();
    if (answer.status === 'Confirmed') return answer;
    assert.notEqual(answer.status, 'Failed', answer.reason);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('not confirmed');
}

test('createWallet, transferAsset, assets and history', async () => {
  const { id: walletId } = await fundedWallet('treasury');
  const { items } = await dfns.wallets.listWallets({});
  assert.ok(items.some(({ id }) => id === walletId));
  const before = await reader.getBalance({ address: receiver });
  const body = { kind: 'Native', to: receiver, amount: '1000' };
  const { id: transferId } = await dfns.wallets.transferAsset({ walletId, body });
  const { txHash } = await confirmed(() => dfns.wallets.getTransfer({ walletId, transferId }));
  assert.equal((await reader.getTransactionReceipt({ hash: txHash })).status, 'success');
  assert.equal(await reader.getBalance({ address: receiver }), before + 1000n);
  const { assets } = await dfns.wallets.getWalletAssets({ walletId });
  assert.equal(assets[0].kind, 'Native');
  const history = await dfns.wallets.getWalletHistory({ walletId, query: {} });
  assert.deepEqual([history.items[0].txHash, history.items[0].direction], [txHash, 'Out']);
});

test('broadcastTransaction and keys', async () => {
  const { id: walletId } = await fundedWallet('sender');
  const body = { kind: 'Evm', to: receiver, value: '5' };
  const { id: transactionId } = await dfns.wallets.broadcastTransaction({ walletId, body });
  await confirmed(() => dfns.wallets.getTransaction({ walletId, transactionId }));
  const key = await dfns.keys.createKey({ body: { scheme: 'ECDSA', curve: 'secp256k1' } });
  const hash = `0x${'11'.repeat(32)}`;
  const signed = await dfns.keys.generateSignature({ keyId: key.id, body: { kind: 'Hash', hash } });
  assert.equal(signed.status, 'Signed');
});

test('an account of viem', async () => {
  const { id: walletId } = await fundedWallet('viem');
  const account = toAccount(await DfnsWallet.init({ walletId, dfnsClient: dfns }));
  const wallet = createWalletClient({ account, chain, transport: http() });
  const hash = await wallet.sendTransaction({ to: receiver, value: 7n });
  assert.equal((await reader.waitForTransactionReceipt({ hash })).status, 'success');
  const signature = await account.signMessage({ message: 'hi' });
  assert.ok(await verifyMessage({ address: account.address, message: 'hi', signature }));
  const typed = {
    domain: { name: 'x', chainId: chain.id },
    types: { P: [{ name: 'a', type: 'uint256' }] },
    primaryType: 'P',
    message: { a: 1n },
  };
  const typedSignature = await account.signTypedData(typed);
  assert.ok(await verifyTypedData({ ...typed, address: account.address, signature: typedSignature }));
});

test('errors are those of Dfns', async () => {
  const other = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });
  const isError = (status) => (error) => error instanceof DfnsError && error.httpStatus === status;
  const createWallet = clientWith(other).wallets.createWallet({ body: { network: 'Ethereum' } });
  await assert.rejects(createWallet, isError(401));
  await assert.rejects(dfns.wallets.getWallet({ walletId: 'wa-x' }), isError(404));
  await assert.rejects(dfns.webhooks.listWebhooks({}), isError(501));
});
