import type { Browser, Page } from 'playwright-core';
import { startBrowser } from '../hack/console/browser.ts';
import { findProblems, signInWithKey, watchPage } from './lib/browserPage.ts';
import { call, freshName, serviceUrl, token } from './lib/service.ts';

/** The console in a real browser, served by the installation. */

let browser: Browser;
let page: Page;
let requests: string[];
let violations: string[];
const created: string[] = [];

beforeAll(async () => {
  browser = await startBrowser();
});
beforeEach(async () => {
  const context = await browser.newContext();
  page = await context.newPage();
  ({ requests, violations } = watchPage(page));
});
afterEach(async () => {
  expect(violations).toEqual([]);
  expect(requests.filter((url) => !url.startsWith(serviceUrl) && !url.startsWith('data:'))).toEqual([]);
  await page.context().close();
});
afterAll(async () => {
  await browser.close();
  for (const name of created) {
    const { body } = await call('GET', `/v1alpha/networks?selector=metadata.name%3D%3D${name}`);
    for (const { id } of body.items) await call('DELETE', `/v1alpha/networks/${id}`);
  }
});

async function signIn(path = '/networks'): Promise<void> {
  await signInWithKey(page, path);
  await page.getByRole('heading', { level: 1 }).waitFor();
}

test('a network is created by keyboard alone, its steps appear, and it is not woken by looking at it', async () => {
  const name = freshName('console');
  created.push(name);
  await signIn('/networks/new');
  await page.getByLabel('Name').focus();
  await page.keyboard.type(name);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name }).waitFor();
  await page.locator('[data-state=Operational]').first().waitFor();
  const { body } = await call('GET', `/v1alpha/networks?selector=metadata.name%3D%3D${name}`);
  const [{ id }] = body.items;
  expect((await call('POST', `/v1alpha/networks/${id}/stop`)).status).toBeLessThan(300);
  await page.locator('[data-state=Stopped]').first().waitFor();
  for (const tab of ['Logs', 'Activity', 'Snapshots', 'Spec', 'Overview']) {
    await page.getByRole('tab', { name: tab, exact: true }).click();
  }
  await page.reload();
  await page.getByText('This network is stopped').waitFor();
  expect(requests.filter((url) => url.endsWith(`/v1alpha/networks/${id}`))).toEqual([]);
});

test('a form with several mistakes names each of them at its field, and creates nothing', async () => {
  await signIn('/networks/new');
  await page.getByLabel('Name').fill('Not a name');
  await page.getByLabel('Chain ID').fill('one');
  await page.getByLabel('Seconds between blocks').fill('fast');
  await page.getByRole('button', { name: 'Create network' }).click();
  await page.getByRole('alert').first().waitFor();
  const errors = await page.getByRole('alert').allTextContents();
  expect(errors).toEqual([
    expect.stringMatching(/^use lower-case letters/),
    expect.stringMatching(/^use a decimal chain id/),
    'must be a number, not text',
  ]);
  expect((await call('GET', '/v1alpha/secrets?selector=metadata.name%3D%3DNot')).body.items).toEqual([]);
});

test('what the installation cannot run cannot be chosen, with the reason, and plugins say what they are', async () => {
  const { body } = await call('GET', '/v1alpha/chain-types');
  const ethereum = body.items.find(({ type }: { type: string }) => type === 'Ethereum');
  const clients: { setting: string; value: string; missing?: string }[] = ethereum.options.filter(
    ({ setting }: { setting: string }) => setting === 'elType',
  );
  await signIn('/networks/new');
  await page.getByLabel('Run real clients instead of one development node').check();
  for (const { value, missing } of clients) {
    const may = missing === undefined ? 'enabled' : 'disabled';
    const option = page.getByLabel('Execution client').locator(`option[value=${value}]:${may}`);
    await option.waitFor({ state: 'attached' });
    if (missing !== undefined) await page.getByText(missing).first().waitFor({ state: 'attached' });
  }
  await page.getByText('A Graph node with IPFS').waitFor();
});

test('a session that is ended elsewhere shows the sign-in within two seconds, and sends no more', async () => {
  await signIn();
  const me = await page.evaluate("fetch('/workspace/v1alpha1/me').then((answer) => answer.json())");
  const { sessionID } = me as { sessionID: string };
  expect((await call('DELETE', `/workspace/v1alpha1/sessions/${sessionID}`)).status).toBe(204);
  await page.getByText('Your session has ended').waitFor({ timeout: 20_000 });
  requests.length = 0;
  await page.waitForTimeout(5_000);
  expect(requests).toEqual([]);
  await page.getByLabel('API key').fill(token);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Networks' }).waitFor();
});

test('the API key is in no storage and no address', async () => {
  await signIn();
  const kept = await page.evaluate(
    'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
  );
  expect([kept, ...requests].filter((text) => String(text).includes(token.split('.')[1] ?? token))).toEqual(
    [],
  );
});

test.each(['light', 'dark'] as const)('the pages are accessible in %s', async (colorScheme) => {
  await page.emulateMedia({ colorScheme });
  await page.goto(serviceUrl);
  await page.getByLabel('API key').waitFor();
  expect(await findProblems(page)).toEqual([]);
  await signIn();
  for (const path of ['/networks', '/networks/new', '/sessions']) {
    await page.goto(`${serviceUrl}${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect([path, await findProblems(page)]).toEqual([path, []]);
  }
});
