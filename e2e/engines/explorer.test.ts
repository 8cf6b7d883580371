import { randomBytes } from 'node:crypto';
import { DirectSecp256k1Wallet } from '@cosmjs/proto-signing';
import { SigningStargateClient } from '@cosmjs/stargate';
import { Keypair } from '@solana/web3.js';
import { parseEther } from 'ethers';
import type { Browser } from 'playwright-core';
import { startBrowser } from '../../hack/console/browser.ts';
import { type ConsolePage, openConsole } from '../lib/consolePage.ts';
import { createHotKey, endpointsOf, remove } from '../lib/networks.ts';
import { withProvider } from './ethereumChain.ts';
import { createSecret, start } from './families.ts';
import { disconnectAll, pay } from './solanaChain.ts';
import { startSolana } from './solanaNetwork.ts';

/** The explorer of the console on the real clients of each chain family. */

const receiver = '0x00000000000000000000000000000000000000B3';

interface Sent {
  id: string;
  hash: string;
}

/** An EVM network whose spec is `chain`, and a payment on it. */
async function payOnEvm(type: string, chain: object): Promise<Sent> {
  const { name, wallet } = await createHotKey();
  const id = await start(type, { ...chain, privateKeyRef: { name } });
  const { rpc } = await endpointsOf(id);
  const hash = await withProvider(rpc, async (provider) => {
    const sent = await wallet
      .connect(provider)
      .sendTransaction({ to: receiver, value: parseEther('1.25'), data: '0x1234' });
    await sent.wait();
    return sent.hash;
  });
  return { id, hash };
}

async function payOnSolana(): Promise<Sent> {
  const { id, connection, payer } = await startSolana('light');
  const hash = await pay(connection, payer, Keypair.generate().publicKey);
  return { id, hash };
}

async function payOnThorchain(): Promise<Sent> {
  const key = randomBytes(32);
  const wallet = await DirectSecp256k1Wallet.fromKey(key, 'tthor');
  const from = (await wallet.getAccounts())[0]?.address ?? '';
  const id = await start('Thorchain', { privateKeyRef: { name: await createSecret(key) } });
  const { rpc } = await endpointsOf(id);
  const client = await SigningStargateClient.connectWithSigner(rpc ?? '', wallet, {
    broadcastPollIntervalMs: 300,
  });
  const coins = [{ denom: 'rune', amount: '125000000' }];
  const to = 'tthor1z63f3mzwv3g75az80xwmhrawdqcjpaekk0kd54';
  const { transactionHash } = await client.sendTokens(
    from,
    to,
    coins,
    { amount: [], gas: '500000' },
    'a memo',
  );
  client.disconnect();
  return { id, hash: transactionHash };
}

let browser: Browser;
let tab: ConsolePage;
let id: string | undefined;
beforeAll(async () => {
  browser = await startBrowser();
});
beforeEach(async () => {
  tab = await openConsole(browser, { ownSchemes: ['data:', 'blob:'] });
});
afterEach(async () => {
  expect(tab.offences()).toEqual([]);
  expect(tab.requests.filter((url) => url.includes('/rpc/'))).toEqual([]);
  await tab.close();
  if (id) await remove(id);
});
afterAll(async () => {
  disconnectAll();
  await browser.close();
});

const geth = { participants: [{ elType: 'geth', clType: 'prysm' }], blockTime: 2 };

test.each<[string, () => Promise<Sent>, string[]]>([
  ['geth with prysm', () => payOnEvm('Ethereum', geth), ['1.25 ETH', '0x1234']],
  ['op-geth', () => payOnEvm('Optimism', { profile: 'real', blockTime: 1 }), ['1.25 ETH', '0x1234']],
  ['Solana', payOnSolana, ['1 SOL', 'system: transfer']],
  ['thornode', payOnThorchain, ['a memo', '125000000rune']],
])('a payment on %s is found by its hash, and new blocks appear by themselves', async (_, send, shown) => {
  const { page } = tab;
  const sent = await send();
  id = sent.id;
  await tab.goTo(`/networks/${id}/explorer`);
  const head = page.getByText(/^Live: /);
  const before = await head.textContent();
  await page
    .getByText(/^Live: /)
    .and(page.locator(`:not(:text-is("${before}"))`))
    .waitFor();
  await page.getByRole('searchbox').fill(sent.hash);
  await page.keyboard.press('Enter');
  await page.getByText('Success').first().waitFor();
  for (const text of shown) await page.getByText(text).first().waitFor();
  expect(await tab.problems()).toEqual([]);
});
