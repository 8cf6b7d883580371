import type { Browser } from 'playwright-core';
import { readDefaultKey } from '../../../e2e/lib/accounts.ts';
import { ok } from '../../../e2e/lib/cli.ts';
import { type ConsolePage, openConsole } from '../../../e2e/lib/consolePage.ts';
import { remove } from '../../../e2e/lib/networks.ts';
import { deployToken, transferToken } from '../../../e2e/lib/sending.ts';
import { type Chain, startChain } from '../../../e2e/lib/tokens.ts';
import { startBrowser } from '../../../hack/console/browser.ts';

/** From an artifact to a contract that was written to, in the browser alone: nobody has a wallet. */

const stranger = `0x${'7e'.repeat(20)}`;

let browser: Browser;
let tab: ConsolePage;
let chain: Chain;
let owner: string;
beforeAll(async () => {
  const wallet = await readDefaultKey();
  owner = wallet.address;
  chain = await startChain('Arbitrum', wallet);
  browser = await startBrowser();
});
beforeEach(async () => {
  tab = await openConsole(browser);
});
afterEach(async () => {
  expect(tab.offences()).toEqual([]);
  await tab.close();
});
afterAll(async () => {
  await browser?.close();
  chain.provider.destroy();
  await remove(chain.id);
});

test('a contract is deployed from its artifact, written to and read', async () => {
  const { page } = tab;
  await tab.goTo(`/networks/${chain.id}/explorer`);
  await deployToken(page, owner, async () => expect(await tab.problems()).toEqual([]));
  await transferToken(page, { to: stranger, amount: '7' });
  await page.getByRole('tab', { name: 'Read' }).click();
  await page.getByText('balanceOf(address)', { exact: true }).click();
  await page.locator('details[open]').getByRole('textbox').fill(stranger);
  await page.locator('details[open]').getByRole('button', { name: 'Read' }).click();
  await page.locator('details[open]').getByText('7', { exact: true }).waitFor();
});

test('a contract is deployed from where contracts are listed', async () => {
  const { page } = tab;
  await tab.goTo(`/networks/${chain.id}/explorer?tab=contracts`);
  await page.getByRole('button', { name: 'Deploy a contract' }).click();
  expect(await page.getByLabel('What to send').inputValue()).toBe('deploy');
  await page.getByLabel('Artifact').waitFor();
  expect(await tab.problems()).toEqual([]);
});

test('a transfer is sent, and the balances of the accounts are shown', async () => {
  const { page } = tab;
  const before = await chain.provider.getBalance(stranger);
  await tab.goTo(`/networks/${chain.id}/explorer`);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByLabel('To', { exact: true }).fill(stranger);
  await page.getByLabel(/^Amount in/).fill('0.5');
  await page.getByRole('button', { name: 'Send', exact: true }).last().click();
  await page.getByText('Mined in block').waitFor();
  expect((await chain.provider.getBalance(stranger)) - before).toBe(5n * 10n ** 17n);
  await tab.goTo(`/networks/${chain.id}?tab=accounts`);
  await page
    .getByRole('cell', { name: /^[\d,.]+ ETH$/ })
    .first()
    .waitFor();
});

test('a transfer is sent as an account whose key nobody has', async () => {
  const { page } = tab;
  const whale = `0x${'5a'.repeat(20)}`;
  await ok(['network', 'set-balance', chain.id, whale, '5ether']);
  const before = await chain.provider.getBalance(stranger);
  await tab.goTo(`/networks/${chain.id}/explorer`);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByLabel('To', { exact: true }).fill(stranger);
  await page.getByLabel(/^Amount in/).fill('2');
  await page.getByLabel(/^Send as/).fill(whale);
  expect(await tab.problems()).toEqual([]);
  await page.getByRole('button', { name: 'Send', exact: true }).last().click();
  await page.getByRole('dialog').getByRole('link').click();
  await page.getByText('Success').first().waitFor();
  expect((await chain.provider.getBalance(stranger)) - before).toBe(2n * 10n ** 18n);
});
