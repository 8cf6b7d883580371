import type { Browser, CDPSession, Page } from 'playwright-core';
import { findProblems, watchPage } from '../../../e2e/lib/browserPage.ts';
import { call, freshEmail } from '../../../e2e/lib/service.ts';
import { startBrowser } from '../../../hack/console/browser.ts';

/** The ways to sign in, in a real browser with an authenticator in software, for a user of this test alone. */

const workspaceApi = '/workspace/v1alpha1';

let browser: Browser;
let page: Page;
let devTools: CDPSession;
let requests: string[];
let violations: string[];
let email: string;
let key: string;

beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());
beforeEach(async () => {
  email = freshEmail('ada');
  const invitation = { body: { email, role: 'developer' } };
  const { body } = await call('POST', `${workspaceApi}/workspaces/default/invitations`, invitation);
  const accepted = await call('POST', `${workspaceApi}/invitations/accept`, {
    isAnonymous: true,
    body: { token: body.token },
  });
  key = accepted.body.apiKey.token;
  const context = await browser.newContext();
  page = await context.newPage();
  devTools = await context.newCDPSession(page);
  ({ requests, violations } = watchPage(page));
});
afterEach(async () => {
  expect(violations).toEqual([]);
  const { origin } = new URL(page.url());
  expect(requests.filter((url) => !url.startsWith(origin) && !url.startsWith('data:'))).toEqual([]);
  await page.context().close();
});

async function newLink(): Promise<string> {
  const headers = { Authorization: `Bearer ${key}` };
  const { status, body } = await call('POST', `${workspaceApi}/sign-in-links`, {
    isAnonymous: true,
    headers,
  });
  expect(status).toBe(201);
  return body.url;
}

async function openLink(link: string): Promise<void> {
  await page.goto(link);
  await page.getByRole('heading', { name: 'Sign in with this link' }).waitFor();
  await page.keyboard.press('Enter');
}

const isSignedIn = () => page.getByRole('button', { name: 'Account' }).waitFor();

async function signOut(): Promise<void> {
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in to Slipway' }).waitFor();
}

async function openAccount(): Promise<void> {
  await page.goto(`${new URL(page.url()).origin}/account`);
  await page.getByRole('heading', { name: 'Passkeys' }).waitFor();
}

/** With `isPresent` off it waits for a finger, so that nothing is picked from the suggestions. */
async function addAuthenticator(): Promise<(isPresent: boolean) => Promise<unknown>> {
  await devTools.send('WebAuthn.enable');
  const { authenticatorId } = await devTools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return (enabled) => devTools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled });
}

test('a link signs in once, and its secret is in no address, storage or request but one', async () => {
  const link = await newLink();
  const [, secret = '-'] = new URL(link).hash.split('.');
  await openLink(link);
  await isSignedIn();
  const kept = await page.evaluate(
    'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href])',
  );
  // The address that was opened is the only one: its fragment is sent to nobody.
  const [, ...later] = requests;
  expect([kept, ...later].filter((text) => String(text).includes(secret))).toEqual([]);
  await openLink(link);
  await page.getByText('The link is not valid any more').waitFor();
});

test('a passkey is added by keyboard, and signs in without a name', async () => {
  await openLink(await newLink());
  await isSignedIn();
  const present = await addAuthenticator();
  await openAccount();
  await page.getByLabel('Name of the passkey').fill('work laptop');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Remove the passkey work laptop' }).waitFor();
  await present(false);
  await signOut();
  await present(true);
  await page.getByRole('button', { name: 'Continue with a passkey' }).click();
  await isSignedIn();
  await openAccount();
  await page.getByText('by a passkey').first().waitFor();
});

test('a password that is too weak is refused at its field; a good one signs in', async () => {
  await openLink(await newLink());
  await isSignedIn();
  await openAccount();
  await page.getByRole('button', { name: 'Set a password' }).click();
  await page.getByLabel('New password').fill(email);
  await page.keyboard.press('Enter');
  await page.getByText('contains your address').waitFor();
  await page.getByLabel('New password').fill('correct horse battery');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Change the password' }).waitFor();
  await signOut();
  await page.getByRole('textbox', { name: 'E-mail address' }).fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill('correct horse battery');
  await page.keyboard.press('Enter');
  await isSignedIn();
});

test("a session's cookie is of no use to another site, and of none after the sign-out", async () => {
  await openLink(await newLink());
  await isSignedIn();
  const cookies = await page.context().cookies();
  const Cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const create = { isAnonymous: true, body: { name: 'stolen', role: 'viewer' } };
  const path = `${workspaceApi}/workspaces/default/api-keys`;
  const evil = { Cookie, 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' };
  expect((await call('POST', path, { ...create, headers: evil })).status).toBe(403);
  const own = { isAnonymous: true, headers: { Cookie, 'Sec-Fetch-Site': 'same-origin' } };
  expect((await call('GET', `${workspaceApi}/me`, own)).status).toBe(200);
  await signOut();
  const deadlineMs = Date.now() + 2_000;
  let answers: number[];
  // A call may reach either replica.
  do
    answers = await Promise.all(
      Array.from({ length: 8 }, async () => (await call('GET', `${workspaceApi}/me`, own)).status),
    );
  while (answers.some((status) => status !== 401) && Date.now() < deadlineMs);
  expect(answers).toEqual(Array(8).fill(401));
});

test.each(['light', 'dark'] as const)('the pages are accessible in %s', async (colorScheme) => {
  await page.emulateMedia({ colorScheme });
  await page.goto(await newLink());
  await page.getByRole('heading', { name: 'Sign in with this link' }).waitFor();
  expect(await findProblems(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await isSignedIn();
  await openAccount();
  await page.getByRole('button', { name: 'Set a password' }).click();
  expect(await findProblems(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await signOut();
  expect(await findProblems(page)).toEqual([]);
});
