import { randomBytes } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { ok } from '../../../e2e/lib/cli.ts';
import { kubectl } from '../../../e2e/lib/cluster.ts';
import { type ConsolePage, openConsole } from '../../../e2e/lib/consolePage.ts';
import { createHotKey, createNetwork, reach, remove } from '../../../e2e/lib/networks.ts';
import { call, freshName } from '../../../e2e/lib/service.ts';
import { startBrowser } from '../../../hack/console/browser.ts';

/** One address of the book, by REST, kubectl, the command line and the console. */

const address = `0x${randomBytes(20).toString('hex')}`;
const path = `/v1alpha/addresses/${address}`;
const name = freshName('Treasury');
const renamed = freshName('Vault');

let browser: Browser;
let tab: ConsolePage;
let id: string;
let network: string;
beforeAll(async () => {
  const { body } = await createNetwork({ privateKeyRef: { name: (await createHotKey()).name } });
  ({ id, name: network } = body);
  await reach(id, 'Operational');
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
  await call('DELETE', path);
  await remove(id);
});

const nameNow = async () => {
  const { items } = (await call('GET', '/v1alpha/addresses')).body;
  return items.find((one: { address: string }) => one.address === address)?.name;
};

test('an address gets a name on its page of the explorer, which shows it with the address', async () => {
  const { page } = tab;
  await tab.goTo(`/networks/${id}/explorer/address/${address}`);
  await page.getByRole('button', { name: 'Name this address' }).click();
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name }).waitFor();
  await page.getByText(address).first().waitFor();
  expect(await tab.problems()).toEqual([]);
  expect(await nameNow()).toBe(name);
});

test('kubectl shows the name, and is refused a name that looks like an address', async () => {
  const { stdout } = await kubectl(['get', 'addressname', address, '-o', 'jsonpath={.spec.name}']);
  expect(stdout).toBe(name);
  const patch = JSON.stringify({ spec: { name: '0xTreasury' } });
  const refused = await kubectl(['patch', 'addressname', address, '--type=merge', '-p', patch]);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('must not begin with 0x')]);
});

test('the command line sends to the name, and the console shows it where the transaction is', async () => {
  const sent = await ok(['send', network, name, '--value', '1wei', '--wait']);
  expect(sent.stderr).toContain(`"${name}" is ${address}.`);
  const { page } = tab;
  await tab.goTo(`/networks/${id}/explorer/tx/${sent.stdout.trim()}`);
  await page.getByText(name).first().waitFor();
  await page.getByText(address).first().waitFor();
  await tab.goTo(`/networks/${id}/explorer`);
  const link = page.getByRole('link', { name }).first();
  await link.waitFor();
  expect((await link.getAttribute('title'))?.toLowerCase()).toBe(address);
});

test('the search finds the name, and the book has it: it is renamed and removed', async () => {
  const { page } = tab;
  await tab.goTo('/networks');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search' }).waitFor();
  await page.keyboard.type(name);
  await page.getByRole('option', { name: `Address ${name}` }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: `Rename: ${name}` }).click();
  await page.getByLabel('Name', { exact: true }).fill(renamed);
  await page.keyboard.press('Enter');
  await page.getByText('Address saved').waitFor();
  expect(await nameNow()).toBe(renamed);
  await page.getByLabel('Search by name, address or note').fill(renamed);
  expect(await tab.problems()).toEqual([]);
  await page.getByRole('button', { name: `Remove: ${renamed}` }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByText('Address removed').waitFor();
  expect(await nameNow()).toBeUndefined();
});
