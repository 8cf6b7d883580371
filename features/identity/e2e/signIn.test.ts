import { Wallet } from 'ethers';
import type { Browser, Page } from 'playwright-core';
import { findProblems, watchPage } from '../../../e2e/lib/browserPage.ts';
import { call, freshEmail, freshName, token, until } from '../../../e2e/lib/service.ts';
import { startBrowser } from '../../../hack/console/browser.ts';
import { type SignInPods, startSignInPods } from './lib/signInPods.ts';

/** Signing in with a provider, a wallet and a mailed invitation, in a browser, at an API server of the installation. */

const wallet = Wallet.createRandom();
/** A wallet that announces itself as EIP-6963 says. */
const stub = `window.addEventListener('eip6963:requestProvider', () => window.dispatchEvent(new CustomEvent(
  'eip6963:announceProvider', { detail: { info: { uuid: 'u', name: 'Stub', rdns: 'dev.stub', icon: '' },
  provider: { request: (call) => window.stubRequest(call) } } })));`;

let pods: SignInPods;
let browser: Browser;
let workspace: string;
let violations: string[];
beforeAll(async () => {
  pods = await startSignInPods();
  browser = await startBrowser();
  const created = await call('POST', '/workspace/v1alpha1/workspaces', {
    body: { name: freshName('people') },
  });
  workspace = created.body.id;
});
afterAll(async () => {
  await browser?.close();
  await pods?.remove();
  await call('DELETE', `/workspace/v1alpha1/workspaces/${workspace}`);
});
afterEach(() => expect(violations).toEqual([]));

async function openBrowser(): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  ({ violations } = watchPage(page));
  // The browser reaches the pod of the provider through this machine.
  await page.route(`${pods.issuer}/**`, async (route) => {
    const url = route.request().url().replace(pods.issuer, pods.provider);
    const answer = await fetch(url, { redirect: 'manual' });
    await route.fulfill({
      status: answer.status,
      headers: { location: answer.headers.get('location') ?? '' },
    });
  });
  await page.exposeFunction('stubRequest', async (request: { method: string; params?: string[] }) => {
    const [text = '0x'] = request.params ?? [];
    if (request.method !== 'personal_sign') return [wallet.address];
    return wallet.signMessage(Buffer.from(text.slice(2), 'hex'));
  });
  await page.addInitScript(stub);
  return page;
}

/** Through the API server of the test, which has a mail server. */
async function invite(email: string): Promise<{ id: string; link: string }> {
  const path = `/workspace/v1alpha1/workspaces/${workspace}/invitations`;
  const answer = await fetch(`${pods.url}${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, role: 'developer' }),
  });
  const { id } = (await answer.json()) as { id: string };
  const mail = await until(
    'the mail',
    async () => (await pods.mails()).find((text) => text.includes(`To: ${email}`)) ?? '',
    (text) => text !== '',
  );
  const plain = mail.replace(/=\r?\n/g, '').replace(/=3D/g, '=');
  return { id, link: /http:\/\/localhost:\d+\/invitations\/accept#\S+/.exec(plain)?.[0] ?? '' };
}

const account = (page: Page) => page.getByRole('button', { name: 'Account', exact: true });

test('a mailed invitation is accepted with a provider, which signs in from then on, as a linked wallet does', async () => {
  const page = await openBrowser();
  await page.goto(pods.url);
  await page.getByRole('button', { name: 'Continue with Example ID' }).click();
  await page.getByText('open the link of an invitation').waitFor();
  expect(await findProblems(page)).toEqual([]);

  const { id, link } = await invite(pods.email);
  await page.goto(link);
  await page.getByRole('heading', { name: /^Join the workspace/ }).waitFor();
  for (const theme of ['light', 'dark']) {
    await page.evaluate(`localStorage.setItem('slipway-theme', '${theme}')`);
    await page.reload();
    await page.getByRole('heading', { name: /^Join the workspace/ }).waitFor();
    expect(await findProblems(page)).toEqual([]);
  }
  await page.getByRole('button', { name: 'Continue with Example ID' }).click();
  await account(page).waitFor();
  const list = await call('GET', `/workspace/v1alpha1/workspaces/${workspace}/invitations`);
  const invitation = list.body.items.find((one: { id: string }) => one.id === id);
  expect(invitation).toMatchObject({ state: 'Accepted', delivery: { state: 'Sent' } });
  const members = await call('GET', `/workspace/v1alpha1/workspaces/${workspace}/memberships`);
  expect(members.body.items).toContainEqual(
    expect.objectContaining({ email: pods.email, emailVerified: true, role: 'developer' }),
  );

  await page.goto(`${pods.url}/account`);
  await page.getByRole('button', { name: 'Link the wallet Stub' }).click();
  await page.getByText(wallet.address).waitFor();
  expect(await findProblems(page)).toEqual([]);

  await page.context().clearCookies();
  await page.goto(pods.url);
  await page.getByRole('button', { name: 'Continue with the wallet Stub' }).click();
  await account(page).waitFor();

  const elsewhere = await openBrowser();
  await elsewhere.goto(`${pods.url}/account`);
  await elsewhere.getByRole('button', { name: 'Continue with Example ID' }).click();
  // Back on the page that was asked for.
  await elsewhere.getByText(wallet.address).waitFor();
  await elsewhere.getByRole('button', { name: /^Unlink Wallet/ }).click();
  await elsewhere.getByRole('button', { name: 'Unlink', exact: true }).last().click();
  await elsewhere.getByText(wallet.address).waitFor({ state: 'detached' });
  for (const one of [page, elsewhere]) await one.context().close();
});

test('somebody without an account gets one from an invitation by keyboard alone', async () => {
  const page = await openBrowser();
  const { link } = await invite(freshEmail('ben'));
  await page.goto(link);
  const create = page.getByRole('button', { name: 'Create an account' });
  await create.waitFor();
  await create.focus();
  await page.keyboard.press('Enter');
  await account(page).waitFor();
  expect(new URL(page.url()).pathname).toBe('/account');
  await page.context().close();
});
