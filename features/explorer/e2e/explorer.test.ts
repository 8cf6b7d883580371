import { setTimeout } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { readDefaultKey } from '../../../e2e/lib/accounts.ts';
import { findProblems, signInWithKey, watchPage } from '../../../e2e/lib/browserPage.ts';
import { createHotKey, createNetwork, reach, remove } from '../../../e2e/lib/networks.ts';
import { call, serviceUrl, until } from '../../../e2e/lib/service.ts';
import { tokensPath } from '../../../e2e/lib/tokens.ts';
import { startBrowser } from '../../../hack/console/browser.ts';

/** The explorer of the console in a real browser, on networks of the installation. */

let browser: Browser;
let page: Page;
let requests: string[];
let violations: string[];
let id: string;
const created: string[] = [];

beforeAll(async () => {
  browser = await startBrowser();
  await readDefaultKey();
  const { name } = await createHotKey();
  const { body } = await createNetwork({ privateKeyRef: { name } });
  id = body.id;
  created.push(id);
  await reach(id, 'Operational');
});
beforeEach(async () => {
  const context = await browser.newContext();
  page = await context.newPage();
  ({ requests, violations } = watchPage(page));
});
afterEach(async () => {
  expect(violations).toEqual([]);
  // The key of an endpoint is in no address.
  expect(requests.filter((url) => !url.startsWith(serviceUrl) || url.includes('/rpc/'))).toEqual([]);
  await page.context().close();
});
afterAll(async () => {
  await browser.close();
  for (const one of created) await remove(one);
});

/** An ERC20 of the installation on the network. */
async function deployToken(): Promise<{ address: string; hash: string }> {
  const deployment = { network_id: id, args: { total_supply: '1000000' } };
  const body = { name: 'Explored', symbol: 'EXP', decimals: 6, deployments: [deployment] };
  const { status, body: answer } = await call('POST', `${tokensPath}/erc20/deploy`, { body });
  expect(status).toBe(201);
  const { body: found } = await until(
    'the token to be deployed',
    () => call('GET', `${tokensPath}/${answer.id}/deployments/${id}`),
    ({ body: deployed }) => deployed.deployed_at !== undefined,
  );
  return { address: found.token_address, hash: found.deployment_tx };
}

const submitPath = '/transaction/v1alpha1/transaction/submit';
const explorer = (path = '') => `/networks/${id}/explorer${path}`;

test('blocks and transactions appear by themselves, and each has its page', async () => {
  await signInWithKey(page, `/networks/${id}`);
  await page.getByRole('link', { name: 'Explorer' }).click();
  await page.getByRole('heading', { name: 'Latest blocks' }).waitFor();
  const { body } = await call('POST', `/v1alpha/networks/${id}/faucet`, {
    body: { address: `0x${'00'.repeat(19)}99`, amount: '1500000000000000001' },
  });
  const [hash] = body.txHashes;
  await page.getByRole('link', { name: hash.slice(0, 8) }).click();
  await page.getByText('1.500000000000000001 ETH').first().waitFor();
  await page.getByText('Success').first().waitFor();
  await page.getByRole('searchbox').fill('nonsense');
  await page.keyboard.press('Enter');
  await page.getByText('This is not a block number, a hash or an address.').waitFor();
  await page.getByRole('searchbox').fill('0');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Block 0' }).waitFor();
  expect(await page.title()).toMatch(/^Block 0 · .* · Slipway$/);
  await page.getByRole('link', { name: /^Explorer of / }).click();
  await page.getByRole('heading', { name: 'Latest blocks' }).waitFor();
  expect(await page.title()).toMatch(/^Explorer of /);
});

test('a token of ours has names, functions to read, and a trace of its creation', async () => {
  await signInWithKey(page, explorer());
  const { address, hash } = await deployToken();
  await page.goto(`${serviceUrl}${explorer(`/tx/${hash}`)}`);
  await page.getByText('CREATE', { exact: true }).first().waitFor();
  await page.goto(`${serviceUrl}${explorer(`/address/${address}`)}`);
  await page.getByRole('heading', { name: 'CappedToken' }).waitFor();
  await page.getByText('1 EXP', { exact: true }).waitFor();
  await page.getByRole('tab', { name: 'Read' }).click();
  await page.getByText('totalSupply()').click();
  await page.locator('details[open]').getByRole('button', { name: 'Read' }).click();
  await page.locator('details[open]').getByText('1000000', { exact: true }).waitFor();
  await page.getByText('Created by').waitFor();
  await page.getByRole('tab', { name: 'Holders' }).click();
  const holders = page.getByRole('region', { name: 'Holders' });
  await holders.getByRole('cell', { name: '1', exact: true }).waitFor();
  await holders.getByRole('link').first().click();
  await page.getByRole('tab', { name: 'Token transfers' }).click();
  const balances = page.getByRole('group', { name: 'Token balances' });
  await balances.getByRole('link', { name: 'EXP' }).waitFor();
  expect(await findProblems(page)).toEqual([]);
});

test('a token is found by its name in the list of contracts, and from any page', async () => {
  const { address } = await deployToken();
  await signInWithKey(page, explorer('?tab=contracts'));
  await page.getByRole('searchbox', { name: 'Name or token' }).fill('cappedtok');
  const row = page.getByRole('row').filter({ has: page.getByTitle(address) });
  await row.getByRole('link', { name: 'EXP' }).waitFor();
  expect(await findProblems(page)).toEqual([]);
  await page.goto(`${serviceUrl}/secrets`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search' }).waitFor();
  await page.keyboard.type('explored');
  await page.getByRole('option', { name: `Contract CappedToken EXP` }).filter({ hasText: address }).click();
  await page.waitForURL(`**/explorer/address/${address}`);
});

/** Submits a transaction, and returns it once it is mined. */
async function submit(transaction: object) {
  const body = { transactions_by_network: { [id]: [transaction] } };
  const { status, body: sent } = await call('POST', submitPath, { body });
  expect(status).toBe(202);
  const [hash] = sent.tx_hashes_by_network[id];
  const { body: mined } = await until(
    'the transaction to be mined',
    () => call('GET', `/transaction/v1alpha1/transaction/submissions/${hash}`),
    ({ body: one }) => one.state === 'mined',
  );
  return { hash, contract: mined.contract_address };
}

test('an account that a contract pays has the transaction, and follows new blocks', async () => {
  const paid = `0x${'5f'.repeat(20)}`;
  // Its code sends what it gets to that account.
  const code = `5f5f5f5f3473${paid.slice(2)}5af100`;
  const length = (code.length / 2).toString(16).padStart(2, '0');
  const { contract } = await submit({ value: '0', data: `0x60${length}600a5f3960${length}5ff3${code}` });
  await signInWithKey(page, explorer(`/address/${paid}`));
  const transactions = page.getByRole('region', { name: 'Transactions' });
  await page.getByText('None in these blocks.').waitFor();
  const { hash } = await submit({ to: contract, value: '1500000000000000000' });
  await transactions.getByRole('link', { name: hash.slice(0, 8) }).waitFor();
  await transactions.getByText('pays 1.5 ETH within').waitFor();
  await page.getByText(/^Blocks 0 to [\d,]+: what this address sent and got/).waitFor();
  expect(await findProblems(page)).toEqual([]);
});

test.each([
  ['facts', '6e', /\/chain$/],
  ['transactions', '6f', /\/transactions\?/],
])('a block that comes while the %s of an account are read is not missed', async (_what, byte, read) => {
  const address = `0x${byte.repeat(20)}`;
  let paid: Promise<string> | undefined;
  // Whatever is asked for first is answered from before the block.
  await page.route(read, async (route) => {
    const response = await route.fetch();
    paid ??= setTimeout(1000).then(
      async () => (await submit({ to: address, value: '1500000000000000000' })).hash,
    );
    await paid;
    await route.fulfill({ response });
  });
  await signInWithKey(page, explorer(`/address/${address}`));
  const account = page.getByRole('region', { name: 'Account', exact: true });
  await account.getByText('1.5 ETH').waitFor();
  await page.getByRole('link', { name: (await paid)?.slice(0, 8) ?? '' }).waitFor();
});

test('the charts say what each block has, to the arrow keys and to the pointer', async () => {
  await call('POST', `/v1alpha/networks/${id}/faucet`, { body: { address: `0x${'00'.repeat(19)}98` } });
  await signInWithKey(page, explorer());
  const slider = page.getByRole('slider', { name: 'Transactions' });
  await slider.waitFor();
  await slider.focus();
  const newest = await slider.getAttribute('aria-valuetext');
  expect(newest).toMatch(/^Block [\d,]+: \d+ transactions?$/);
  await page.keyboard.press('ArrowLeft');
  const before = await slider.getAttribute('aria-valuetext');
  const numberOf = (text: string | null) => Number(text?.match(/[\d,]+/)?.[0].replaceAll(',', ''));
  expect(numberOf(before)).toBe(numberOf(newest) - 1);
  const box = await slider.boundingBox();
  if (!box) throw new Error('the chart has no place');
  await page.mouse.move(box.x + box.width - 1, box.y + 10);
  await page.getByText(/^Block [\d,]+: \d+ transactions?$/).waitFor();
  expect(numberOf(await slider.getAttribute('aria-valuetext'))).toBeGreaterThanOrEqual(numberOf(newest));
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
});

test.each(['light', 'dark'] as const)('the explorer is accessible in %s', async (colorScheme) => {
  await page.emulateMedia({ colorScheme });
  await signInWithKey(page, explorer());
  for (const path of [
    '',
    '?tab=contracts',
    '/block/0',
    '/block/99999999',
    '/address/0x123',
    `/address/0x${'00'.repeat(20)}`,
  ]) {
    await page.goto(`${serviceUrl}${explorer(path)}`);
    await page.getByRole('heading', { level: 2 }).first().waitFor();
    expect([path, await findProblems(page)]).toEqual([path, []]);
  }
});
