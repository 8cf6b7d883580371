import type { Browser, BrowserContext, Page } from 'playwright-core';
import { startBrowser } from '../hack/console/browser.ts';
import { createSecret, seeSecret, signInWithKey } from './lib/browserPage.ts';
import { openReplicas, type ReplicaAccess } from './lib/replicas.ts';
import { call, freshName, serviceUrl } from './lib/service.ts';

/** The console in two tabs of one browser, and on two replicas of the API server. */

let browser: Browser;
let context: BrowserContext;
let replicas: ReplicaAccess[] = [];
const created: string[] = [];

beforeAll(async () => {
  [browser, replicas] = await Promise.all([startBrowser(), openReplicas()]);
});
beforeEach(async () => {
  context = await browser.newContext();
});
afterEach(() => context.close());
afterAll(async () => {
  await browser.close();
  for (const { close } of replicas) close();
  for (const name of created) await call('DELETE', `/v1alpha/secrets/${name}`);
});

async function openAt(url: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${url}/secrets`);
  await page.getByRole('heading', { name: 'Secrets' }).waitFor();
  return page;
}

async function createOne(page: Page): Promise<string> {
  const name = freshName('twice');
  created.push(name);
  await createSecret(page, name, '5e'.repeat(32));
  return name;
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Account', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByLabel('API key').waitFor();
}

test('what one tab creates appears in the other one, and signing out of one ends both', async () => {
  await signInWithKey(await context.newPage());
  const [first, second] = [await openAt(serviceUrl), await openAt(serviceUrl)];
  await seeSecret(second, await createOne(first));
  await seeSecret(first, await createOne(second));
  await signOut(first);
  await second.getByLabel('API key').waitFor({ timeout: 20_000 });
});

test('a session that began at one replica is good at the others, which tell what happens, until it ends', async () => {
  expect(replicas.length).toBeGreaterThanOrEqual(2);
  await signInWithKey(await context.newPage());
  const pages = await Promise.all(replicas.map(({ url }) => openAt(url)));
  const [first, ...others] = pages as [Page, ...Page[]];
  const name = await createOne(first);
  for (const page of pages) await seeSecret(page, name);
  const cookies = await context.cookies();
  await signOut(first);
  for (const page of others) await page.getByText('Your session has ended').waitFor({ timeout: 20_000 });
  await context.addCookies(cookies);
  for (const page of others) {
    expect(await page.evaluate("fetch('/workspace/v1alpha1/me').then(({ status }) => status)")).toBe(401);
  }
});
