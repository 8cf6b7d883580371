import type { Browser, Page } from 'playwright-core';
import { startBrowser } from '../hack/console/browser.ts';
import { ask } from './lib/accounts.ts';
import { type ConsolePage, openConsole } from './lib/consolePage.ts';
import { call, freshEmail, freshName, serviceUrl, token, until } from './lib/service.ts';

/** The pages of the console about the workspace, the change of a network, and the API reference. */

let browser: Browser;
let opened: ConsolePage | undefined;
const cleanUps: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  browser = await startBrowser();
});
afterEach(async () => {
  expect(opened?.offences()).toEqual([]);
  await opened?.close();
  opened = undefined;
});
afterAll(async () => {
  await browser.close();
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
});

async function open(path: string): Promise<Page> {
  opened = await openConsole(browser);
  await opened.goTo(path);
  return opened.page;
}
const dialog = (page: Page) => page.getByRole('dialog');
const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
const inStorage = (page: Page) =>
  page.evaluate(
    'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href])',
  );

test('somebody is invited by a link, gets another role, and is removed', async () => {
  const email = freshEmail();
  const page = await open('/settings/members');
  await page.getByRole('button', { name: 'Invite' }).click();
  await page.getByLabel('E-mail address').fill(email);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Invitation created' }).waitFor();
  const link = new URL((await dialog(page).locator('pre').textContent()) ?? '');
  expect([link.origin, link.hash.length > 20]).toEqual([new URL(serviceUrl).origin, true]);
  await page.getByRole('button', { name: 'I have copied it' }).click();
  await rowOf(page, email).getByText('Pending').waitFor();
  const accepted = await ask(undefined, 'POST', '/invitations/accept', { token: link.hash.slice(1) });
  expect(accepted.status).toBe(200);
  await page.reload();
  await page.getByLabel(`Role of ${email}`).selectOption('viewer');
  await page.getByRole('button', { name: 'Change role' }).click();
  await page.getByText('Role updated').waitFor();
  const { token: theirs } = accepted.body.apiKey;
  const { workspaceID } = accepted.body;
  const me = await call('GET', '/workspace/v1alpha1/me', {
    headers: { Authorization: `Bearer ${theirs}`, 'X-Workspace-ID': workspaceID },
  });
  expect(me.body.role).toBe('viewer');
  await page.getByRole('button', { name: `Remove: ${email}` }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByText('Member removed').waitFor();
  await page.getByLabel(`Role of ${email}`).waitFor({ state: 'detached' });
});

test('an API key is shown once, is in no storage and no address, and is revoked', async () => {
  const name = freshName('key');
  const page = await open('/settings/api-keys');
  await page.getByRole('button', { name: 'Create API key' }).click();
  await page.getByLabel('Name').fill(name);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: `API key "${name}" created` }).waitFor();
  const key = (await dialog(page).locator('pre').textContent()) ?? '';
  const me = () => call('GET', '/workspace/v1alpha1/me', { headers: { Authorization: `Bearer ${key}` } });
  expect((await me()).status).toBe(200);
  await page.keyboard.press('Escape');
  expect(await dialog(page).locator('pre').textContent()).toBe(key);
  await page.getByRole('button', { name: 'I have copied it' }).click();
  await rowOf(page, name).waitFor();
  const secret = key.split('.')[1] ?? key;
  const seen = [await inStorage(page), await page.content(), ...(opened?.requests ?? [])];
  expect(seen.filter((text) => String(text).includes(secret))).toEqual([]);
  await page.getByRole('button', { name: `Revoke: ${name}` }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
  await rowOf(page, name).waitFor({ state: 'detached' });
  // Each replica learns of it by its watch.
  await until('the end of the key', me, ({ status }) => status === 401);
});

/** Holds requests of API keys back until the answer is called. */
async function holdBack(page: Page, method: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route('**/api-keys**', async (route) => {
    if (route.request().method() === method) await promise;
    await route.fallback();
  });
  return resolve;
}

test('what comes of a request is not lost: its dialog stays open until then, and is not cancelled', async () => {
  const name = freshName('key');
  const page = await open('/settings/api-keys');
  await page.getByRole('button', { name: 'Create API key' }).click();
  await page.getByLabel('Name').fill(name);
  const create = await holdBack(page, 'POST');
  await page.keyboard.press('Enter');
  await dialog(page).locator('button:disabled', { hasText: 'Cancel' }).waitFor();
  await page.keyboard.press('Escape');
  create();
  await page.getByRole('heading', { name: `API key "${name}" created` }).waitFor();
  await page.getByRole('button', { name: 'I have copied it' }).click();
  const question = page.getByRole('alertdialog');
  await page.getByRole('button', { name: `Revoke: ${name}` }).click();
  const revoke = await holdBack(page, 'DELETE');
  await question.getByRole('button', { name: 'Revoke' }).click();
  await question.locator('button:disabled', { hasText: 'Cancel' }).waitFor();
  await page.keyboard.press('Escape');
  expect(await question.isVisible()).toBe(true);
  revoke();
  await question.waitFor({ state: 'detached' });
  await rowOf(page, name).waitFor({ state: 'detached' });
});

/** Presses Back, and waits until that is undone. */
const goBackInVain = (page: Page) =>
  page.evaluate(
    `new Promise((done) => {
      let moves = 0;
      addEventListener('popstate', () => (moves += 1) === 2 && done());
      history.back();
    })`,
  );

test('a key is lost neither by Back nor by closing the tab, while it is made and while it is shown', async () => {
  const name = freshName('key');
  const page = await open('/settings/members');
  await page.getByRole('link', { name: 'API keys' }).click();
  await page.getByRole('button', { name: 'Create API key' }).click();
  await page.getByLabel('Name').fill(name);
  const create = await holdBack(page, 'POST');
  await page.keyboard.press('Enter');
  await dialog(page).locator('button:disabled', { hasText: 'Cancel' }).waitFor();
  await goBackInVain(page);
  create();
  await page.getByRole('heading', { name: `API key "${name}" created` }).waitFor();
  await goBackInVain(page);
  const asked = page.waitForEvent('dialog');
  await page.close({ runBeforeUnload: true });
  const question = await asked;
  expect(question.type()).toBe('beforeunload');
  await question.dismiss();
  expect(await dialog(page).locator('pre').textContent()).toMatch(/^k[0-9a-f]{24}\./);
  await page.getByRole('button', { name: 'I have copied it' }).click();
  await page.getByRole('button', { name: `Revoke: ${name}` }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
  await rowOf(page, name).waitFor({ state: 'detached' });
  await page.goBack();
  await page.getByRole('heading', { name: 'Members' }).first().waitFor();
});

test('a webhook is created with its secret shown once, tested, paused and deleted', async () => {
  const name = freshName('hook');
  const page = await open('/settings/webhooks');
  await page.getByRole('button', { name: 'Create webhook' }).first().click();
  await page.getByLabel('Name').fill(name);
  // A host that nobody has: its deliveries fail, and are logged.
  await page.getByRole('textbox', { name: 'URL' }).fill('https://hooks.example.com/slipway');
  await page.getByLabel('Networks', { exact: true }).check();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Webhook created' }).waitFor();
  expect(await dialog(page).locator('pre').textContent()).toMatch(/^whsec_/);
  await page.getByRole('button', { name: 'I have copied it' }).click();
  await page.getByRole('link', { name }).click();
  // Failing after the first event that happens anywhere meanwhile.
  await page.locator('[data-state=Active], [data-state=Failing]').first().waitFor();
  await page.getByRole('button', { name: 'Send test event' }).click();
  await page.locator('summary').filter({ hasText: 'webhook.test' }).waitFor();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Pause' }).click();
  await page.getByText('Webhook paused').waitFor();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByLabel('Type the name of the webhook').fill(name);
  await page.keyboard.press('Enter');
  await page.getByText('Webhook deleted').waitFor();
});

test('a new workspace leads to a running network and its URL in three clicks', async () => {
  const name = freshName('team');
  const page = await open('/networks');
  await page.getByRole('button', { name: /^Workspace:/ }).click();
  await page.getByRole('menuitem', { name: 'Create workspace' }).click();
  await dialog(page).getByLabel('Name').fill(name);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Create your first network' }).waitFor();
  const id = await page.evaluate("sessionStorage.getItem('slipway-workspace')");
  const inside = { headers: { 'X-Workspace-ID': String(id) } };
  cleanUps.push(() => call('DELETE', `/workspace/v1alpha1/workspaces/${id}`));
  await page.getByRole('button', { name: /^Base/ }).click();
  await page.locator('[data-state=Operational]').first().waitFor();
  await page.getByRole('tab', { name: 'curl' }).click();
  await page.getByRole('figure', { name: 'curl' }).getByText('eth_blockNumber').waitFor();
  const { body } = await call('GET', '/v1alpha/networks', inside);
  expect(body.items).toHaveLength(1);
  for (const network of body.items) await call('DELETE', `/v1alpha/networks/${network.id}`, inside);
});

test('a change keeps what somebody else changed meanwhile', async () => {
  const name = freshName('change');
  const spec = { idleAfter: '30m', chain: { type: 'Base', base: { blockTime: 2 } } };
  const { body: network } = await call('POST', '/v1alpha/networks', { body: { name, spec } });
  const path = `/v1alpha/networks/${network.id}`;
  cleanUps.push(() => call('DELETE', path));
  const page = await open(`/networks/${network.id}?tab=spec`);
  await page.getByRole('button', { name: 'Change' }).click();
  await page.getByLabel('Stop when unused for').fill('2h');
  await page.getByLabel('Seconds between blocks').fill('3');
  const theirs = { ...spec, chain: { type: 'Base', base: { blockTime: 4 } } };
  expect(
    (await call('PUT', path, { body: { metadata: { labels: { team: 'core' } }, spec: theirs } })).status,
  ).toBe(200);
  await page.getByRole('button', { name: 'Bring in their changes' }).click();
  await page.getByRole('radio', { name: /Theirs/ }).check();
  await page.getByRole('button', { name: 'Use these' }).click();
  await page.getByRole('button', { name: 'Apply changes' }).click();
  await page.getByText('Network updated').waitFor();
  const { body } = await call('GET', `/v1alpha/networks?selector=metadata.name%3D%3D${name}`);
  expect(body.items[0]).toMatchObject({
    metadata: { labels: { team: 'core' } },
    spec: { idleAfter: '2h', chain: { base: { blockTime: 4 } } },
  });
});

test('the API reference sends requests with the session of the browser', async () => {
  const page = await open('/docs#listSecrets');
  await page.getByText('with the session of this browser').waitFor();
  const operation = page.locator('details#listSecrets');
  await operation.getByRole('button', { name: 'Send GET' }).click();
  await operation.getByRole('status').getByText(/^200/).waitFor();
  expect(await operation.getByLabel('Answer').textContent()).toContain('SecretList');
  const seen = [await inStorage(page), ...(opened?.requests ?? [])];
  expect(seen.filter((text) => String(text).includes(token.split('.')[1] ?? token))).toEqual([]);
});

test.each(['light', 'dark'] as const)('these pages are accessible in %s', async (colorScheme) => {
  const page = await open('/settings/members');
  await page.emulateMedia({ colorScheme });
  const headings = {
    '/settings/members': 'Members',
    '/settings/api-keys': 'API keys',
    '/settings/webhooks': 'Webhooks',
    '/settings/general': 'General',
    '/docs': 'Credentials',
  };
  for (const [path, name] of Object.entries(headings)) {
    await page.goto(`${serviceUrl}${path}`);
    await page.getByRole('heading', { name, level: 2, exact: true }).waitFor();
    expect([path, await opened?.problems()]).toEqual([path, []]);
  }
});

test('the audit list names who did what, and can be narrowed down', async () => {
  const email = freshEmail();
  const page = await open('/settings/members');
  await page.getByRole('button', { name: 'Invite' }).click();
  await page.getByLabel('E-mail address').fill(email);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'I have copied it' }).click();
  await page.goto(`${serviceUrl}/settings/audit`);
  await page.getByLabel('Only the action').fill('createInvitation');
  await page.keyboard.press('Enter');
  const seen = async () => {
    await page.getByRole('button', { name: 'Refresh' }).click();
    return rowOf(page, 'create invitation').count();
  };
  await until('the invitation is in the audit list', seen, (count) => count > 0);
  expect(await page.getByRole('table').textContent()).not.toContain(email);
  await page.getByLabel('With outcome').selectOption('Forbidden');
  await page.getByText('No entries match.').waitFor();
});

test('the usage of the workspace shows bars for each measure and what is used of budgets', async () => {
  const page = await open('/settings/usage');
  await page.getByRole('img', { name: /^RPC calls: / }).waitFor();
  await page.getByRole('img', { name: /^Network hours: / }).waitFor();
  await rowOf(page, 'Persistent networks').getByText(/ of /).waitFor();
  await page.getByText('Show the numbers').click();
  expect(await page.getByRole('table', { name: 'Last 30 days' }).getByRole('row').count()).toBe(31);
});
