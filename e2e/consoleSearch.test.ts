import type { Browser } from 'playwright-core';
import { callRpc } from '../core/chains/evm/testing/startAnvil.ts';
import { startBrowser } from '../hack/console/browser.ts';
import { type ConsolePage, openConsole } from './lib/consolePage.ts';
import { createNetwork, endpointsOf, remove } from './lib/networks.ts';
import { call, freshName } from './lib/service.ts';

/** The search over everything, by keyboard alone. */

let browser: Browser;
let tab: ConsolePage;
let id: string;
let other: string;
const name = freshName('find');
beforeAll(async () => {
  const spec = { chain: { type: 'Arbitrum', arbitrum: {} } };
  ({ id } = (await call('POST', '/v1alpha/networks', { body: { name, spec } })).body);
  browser = await startBrowser();
  tab = await openConsole(browser);
});
afterAll(async () => {
  await tab.close();
  await browser.close();
  await Promise.all([remove(id), remove(other)]);
});

test('a network is found by its name from another page, and opened', async () => {
  const { page } = tab;
  await tab.goTo('/secrets');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search' }).waitFor();
  await page.keyboard.type(name);
  await page.getByRole('option', { name: `Network ${name}` }).waitFor();
  expect(await tab.problems()).toEqual([]);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/networks/${id}`);
});

test('an address is found on the network whose chain has it', async () => {
  const { page } = tab;
  const address = `0x${'7e'.repeat(20)}`;
  await page.locator('[data-state=Operational]').first().waitFor();
  const { admin = '' } = await endpointsOf(id);
  await callRpc(admin, 'anvil_setBalance', address, '0x1');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search' }).waitFor();
  await page.keyboard.type(address);
  const found = page.getByRole('option', { name: `on ${name}` });
  await found.waitFor();
  // Another network starts, and its chain does not answer yet: what was found stays where it is.
  await page.route('**/networks/*/chain', () => undefined);
  const asksAgain = page.waitForRequest('**/networks/*/chain');
  other = (await createNetwork({})).body.id;
  await asksAgain;
  expect(await found.count()).toBe(1);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/explorer/address/**');
});
