import { parseEther, Wallet } from 'ethers';
import type { Browser, Locator } from 'playwright-core';
import { startBrowser } from '../hack/console/browser.ts';
import { readDefaultKey } from './lib/accounts.ts';
import { createSecret, seeSecret } from './lib/browserPage.ts';
import { type ConsolePage, openConsole } from './lib/consolePage.ts';
import { remove } from './lib/networks.ts';
import { call, freshName } from './lib/service.ts';
import { type Chain, startChain, tokensPath } from './lib/tokens.ts';

/** Secrets, tokens, transactions and recordings in the console of the installation. */

let browser: Browser;
let tab: ConsolePage;
let wallet: Wallet;
let chains: Chain[] = [];
let names: string[] = [];
beforeAll(async () => {
  wallet = await readDefaultKey();
  chains = await Promise.all(['Arbitrum', 'Optimism'].map((type) => startChain(type, wallet)));
  const { body } = await call('GET', '/v1alpha/networks?limit=500');
  // biome-ignore lint/suspicious/noExplicitAny: a REST response
  names = chains.map(({ id }) => body.items.find((one: any) => one.id === id).name);
  browser = await startBrowser();
});
beforeEach(async () => {
  tab = await openConsole(browser, { ownSchemes: ['data:', 'blob:'] });
});
afterEach(async () => {
  expect(tab.offences()).toEqual([]);
  await tab.close();
});
afterAll(async () => {
  await browser?.close();
  for (const { provider } of chains) provider.destroy();
  await Promise.all(chains.map(({ id }) => remove(id)));
});

test('a secret that is created in the form is listed, and its value is nowhere in the browser', async () => {
  const { page } = tab;
  const name = freshName('secret');
  const digits = Wallet.createRandom().privateKey.slice(2);
  await tab.goTo('/secrets');
  await createSecret(page, name, digits);
  await seeSecret(page, name);
  const kept = await page.evaluate(
    'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href, document.body.innerHTML, [...document.querySelectorAll("input")].map(({ value }) => value)])',
  );
  expect(String(kept)).not.toContain(digits);
  await page.getByRole('button', { name: `Delete ${name}` }).click();
  await page.getByLabel('Type the name of the secret').fill(name);
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('button', { name: `Delete ${name}` }).waitFor({ state: 'detached' });
});

test('a token that is deployed on the networks of a selector shows its state on each of them as it changes', async () => {
  const { page } = tab;
  const symbol = `T${freshName('x').slice(-4).toUpperCase()}`;
  await tab.goTo('/tokens/new');
  await page.getByRole('textbox', { name: 'Name' }).fill('Console token');
  await page.getByLabel('Symbol').fill(symbol);
  await page.getByLabel('Which networks').selectOption('selector');
  await page.getByLabel('Selector').fill(`metadata.name IN (${names.join(', ')})`);
  await page.getByLabel('Total supply').fill('12.5');
  await page.getByRole('button', { name: 'Deploy token' }).click();
  await page.getByRole('heading', { name: symbol }).waitFor();
  await page.getByText('Deployed on 2 of 2 networks').waitFor();
  const id = new URL(page.url()).pathname.split('/').at(-1);
  const { body } = await call('GET', `${tokensPath}/${id}`);
  expect(body.total_supply).toBe('12500000000000000000');
  await tab.goTo('/tokens');
  await page.getByLabel('Search by name').fill(symbol);
  const row = page.getByRole('row', { name: symbol });
  expect(await row.locator('[data-state=Deployed]').count()).toBe(2);
  await call('DELETE', `${tokensPath}/${id}`);
  await row.waitFor({ state: 'detached' });
});

test('a transaction is mined while the form that submitted it is looked at', async () => {
  const { page } = tab;
  const receiver = Wallet.createRandom().address;
  await tab.goTo('/transactions/new');
  await page.getByLabel(names[0] ?? '', { exact: true }).check();
  await page.getByRole('textbox', { name: 'To (optional)' }).fill(receiver);
  await page.getByLabel('Amount').fill('0.000000000000000007');
  await page.getByRole('button', { name: 'Submit', exact: true }).click();
  await page.locator('[data-state=mined]').waitFor();
  expect(await chains[0]?.provider.getBalance(receiver)).toBe(7n);
  await tab.goTo('/transactions?selector=state%20%3D%3D%20mined');
  await page.locator('[data-state=mined]').first().waitFor();
});

test('blocks are mined, and the clock of a chain is moved', async () => {
  const { page } = tab;
  const { id = '', provider } = chains[0] ?? {};
  const before = await provider?.getBlock('latest');
  await tab.goTo(`/networks/${id}`);
  const card = page.getByRole('region', { name: 'Blocks and clock' });
  await card.getByLabel('Blocks to mine').fill('3');
  await card.getByRole('button', { name: 'Mine' }).click();
  await card.getByText(/^The newest block is /).waitFor();
  await card.getByLabel('Move the clock by').fill('24h');
  const said = await card.getByRole('status').textContent();
  await card.getByRole('button', { name: 'Move' }).click();
  await card
    .getByRole('status')
    .filter({ hasNotText: said ?? '' })
    .waitFor();
  const after = await provider?.getBlock('latest');
  expect((after?.number ?? 0) - (before?.number ?? 0)).toBeGreaterThanOrEqual(4);
  expect((after?.timestamp ?? 0) - (before?.timestamp ?? 0)).toBeGreaterThanOrEqual(86_400);
});

/** The texts of the cells that are not in the line of their row. */
async function cellsBelow(row: Locator): Promise<(string | null)[]> {
  const line = await row.boundingBox();
  const cells = await row.getByRole('cell').all();
  const texts = await Promise.all(
    cells.map(async (cell) => {
      const box = await cell.boundingBox();
      const isInLine = line && box && box.y >= line.y && box.y + box.height <= line.y + line.height;
      return isInLine ? [] : [await cell.textContent()];
    }),
  );
  return texts.flat();
}

test('what was recorded is replayed on another network after a dry run, and shown beside the original', async () => {
  const { page } = tab;
  const [source = '', target = ''] = names;
  await tab.goTo('/recordings');
  await page.getByRole('button', { name: 'Start recording' }).first().click();
  const recording = freshName('recording');
  await page.getByLabel(/^Name/).fill(recording);
  await page.getByRole('textbox', { name: 'Wallet', exact: true }).fill(wallet.address);
  await page.getByLabel(source, { exact: true }).check();
  await page.getByRole('button', { name: 'Start recording' }).click();
  await page.getByRole('heading', { name: recording }).waitFor();
  await page.getByRole('link', { name: 'Recordings' }).first().click();
  expect(await cellsBelow(page.getByRole('row', { name: recording }))).toEqual([]);
  await page.getByRole('link', { name: recording }).click();
  await page.getByRole('table').locator('[data-state=recording]').waitFor();
  const receiver = Wallet.createRandom().address;
  const body = {
    transactions_by_network: { [chains[0]?.id ?? '']: [{ to: receiver, value: String(parseEther('1')) }] },
  };
  expect((await call('POST', '/transaction/v1alpha1/transaction/submit', { body })).status).toBe(202);
  await page
    .locator('tbody')
    .getByRole('row', { name: source })
    .getByRole('cell', { name: '1', exact: true })
    .waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Stop' }).click();
  await page.locator('[data-state=recorded]').first().waitFor();
  await page.getByRole('table', { name: 'Recorded transactions' }).getByTitle(receiver).first().waitFor();
  await page.getByLabel(`Replay ${source} on`).selectOption({ label: target });
  await page.getByRole('button', { name: 'Dry run' }).click();
  await page.getByText('1 transaction would be sent').waitFor();
  expect(await chains[1]?.provider.getBalance(receiver)).toBe(0n);
  await page.getByRole('button', { name: 'Replay', exact: true }).click();
  await page.getByText('The transaction ended as recorded').waitFor();
  expect(await chains[1]?.provider.getBalance(receiver)).toBe(parseEther('1'));
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await page.waitForURL('**/recordings');
});

test.each(['light', 'dark'] as const)('the pages of chains are accessible in %s', async (colorScheme) => {
  await tab.page.emulateMedia({ colorScheme });
  for (const path of [
    '/secrets',
    '/tokens',
    '/tokens/new',
    '/transactions',
    '/transactions/new',
    '/recordings',
  ]) {
    await tab.goTo(path);
    expect([path, await tab.problems()]).toEqual([path, []]);
  }
});
