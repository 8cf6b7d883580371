import { mkdtemp, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { findProblems, signInWithKey, watchPage } from '../../../e2e/lib/browserPage.ts';
import { ok, slipway, start } from '../../../e2e/lib/cli.ts';
import { call, freshName, serviceUrl } from '../../../e2e/lib/service.ts';
import { startBrowser } from '../../../hack/console/browser.ts';

/** A command line without a key, and a browser that is signed in. */

const machine = hostname();
let browser: Browser;
let page: Page;
let home: string;
let watched: ReturnType<typeof watchPage>;

beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'slipway-device-'));
  const context = await browser.newContext();
  page = await context.newPage();
  watched = watchPage(page);
});
afterEach(async () => {
  expect(watched.violations).toEqual([]);
  await page.context().close();
  await rm(home, { recursive: true, force: true });
});

const env = () => ({ HOME: home, SLIPWAY_CONFIG: join(home, 'slipway.json') });

/** Begins to sign in, as on a machine without a terminal. */
async function begin() {
  const running = start(['login', '--url', serviceUrl, '--device'], env());
  await running.seen('Open  http');
  const [, url = ''] = /Open {2}(\S+)/.exec(running.printed()) ?? [];
  const [, code = ''] = /Your code is {2}(\S+)/.exec(running.printed()) ?? [];
  return { running, code, path: new URL(url).pathname + new URL(url).search };
}

test('a command line gets a key of its own once it is approved, by keyboard, after a sign-in at the same address', async () => {
  const name = freshName('device');
  const { running, code, path } = await begin();
  await signInWithKey(page, path);
  await page.getByRole('heading', { name: `${machine} asks for access` }).waitFor();
  expect(await page.getByRole('status').filter({ hasText: code }).textContent()).toBe(code);
  await page.getByLabel('Name of the API key').fill(name);
  await page.getByLabel('Role').selectOption('viewer');
  await page.getByLabel('Name of the API key').press('Enter');
  await page.getByRole('heading', { name: `${machine} is signed in` }).waitFor();
  expect(await running.ended).toBe(0);

  const { json: me } = await ok(['whoami', '--json'], { env: env() });
  expect(me.role).toBe('viewer');
  expect(running.printed()).not.toMatch(/k[0-9a-f]{24}\.[\w-]{43}/);
  await page.getByRole('link', { name: 'See the API keys' }).click();
  const row = page.getByRole('row').filter({ hasText: name });
  await row.getByText(`Created by signing in on ${machine}`).waitFor();
  await row.getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('API key revoked').waitFor();
  const refused = await slipway(['whoami'], { env: env() });
  expect(refused.code).toBe(3);
});

test('what is denied in the console ends the command line, and its code is of no more use', async () => {
  const { running, path } = await begin();
  await signInWithKey(page, path);
  await page.getByRole('button', { name: 'Deny' }).click();
  await page.getByRole('heading', { name: `${machine} is denied access` }).waitFor();
  expect(await running.ended).toBe(3);
  expect(running.printed()).toContain('denied in the console');
});

test('a code may be typed in any case and with or without hyphens, and a wrong one is reported as such', async () => {
  const { running, code } = await begin();
  await signInWithKey(page, '/sign-in/device');
  await page.getByLabel('Code').fill('bbbb bbbb');
  await page.keyboard.press('Enter');
  await page.getByText('no machine shows this code').waitFor();
  await page.getByRole('button', { name: 'Enter another code' }).click();
  await page.getByLabel('Code').fill(code.toLowerCase().replace('-', ' '));
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: `${machine} asks for access` }).waitFor();
  running.interrupt();
  await running.ended;
});

test("approving is refused to another site's page", async () => {
  const { running, code } = await begin();
  await signInWithKey(page);
  const cookies = await page.context().cookies();
  const Cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const evil = { Cookie, 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' };
  const { status } = await call('POST', '/workspace/v1alpha1/workspaces/default/device-sign-ins', {
    isAnonymous: true,
    headers: evil,
    body: { userCode: code, name: 'evil', role: 'owner' },
  });
  expect(status).toBe(403);
  running.interrupt();
  await running.ended;
});

test.each(['light', 'dark'] as const)('the page is accessible in %s', async (colorScheme) => {
  const { running, path } = await begin();
  await page.emulateMedia({ colorScheme });
  await signInWithKey(page, path);
  await page.getByRole('heading', { name: 'asks for access' }).waitFor();
  expect(await findProblems(page)).toEqual([]);
  running.interrupt();
  await running.ended;
});
