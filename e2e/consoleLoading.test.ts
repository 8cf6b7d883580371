import type { Browser, Page, Route } from 'playwright-core';
import { startBrowser } from '../hack/console/browser.ts';
import { type ConsolePage, openConsole } from './lib/consolePage.ts';
import { serviceUrl } from './lib/service.ts';

/** The console while its files or the answers of the API do not arrive. */

const paths = [
  ...['/networks', '/networks/new', '/tokens', '/tokens/new', '/transactions', '/transactions/new'],
  ...['/recordings', '/secrets', '/account', '/settings/members', '/settings/api-keys', '/settings/webhooks'],
  ...['/settings/usage', '/settings/audit', '/settings/general'],
];

let browser: Browser;
let opened: ConsolePage;
let page: Page;
beforeAll(async () => {
  browser = await startBrowser();
  opened = await openConsole(browser);
});
beforeEach(async () => {
  page = await opened.page.context().newPage();
});
afterEach(() => page.close());
afterAll(async () => {
  await opened.close();
  await browser.close();
});

/** The paths that a page asks for, by their begin. */
async function askedFor(path: string, begin: RegExp): Promise<string[]> {
  const seen = new Set<string>();
  const watch = await opened.page.context().newPage();
  watch.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (begin.test(pathname)) seen.add(pathname);
  });
  await watch.goto(`${serviceUrl}${path}`);
  await watch.getByRole('heading', { level: 1 }).waitFor();
  await watch.close();
  return [...seen];
}

const isAt = (path: string) => (url: URL) => url.pathname === path;
const textOf = async () => page.locator('body').textContent();

test('whichever file of the first load never arrives, the page says so', async () => {
  const html = await fetch(serviceUrl, { headers: { Accept: 'text/html' } }).then((answer) => answer.text());
  const scripts = [...html.matchAll(/(?:src|modulepreload" crossorigin href)="(\/assets\/[^"]+\.js)"/g)];
  expect(scripts.length).toBeGreaterThan(1);
  for (const [, path = ''] of scripts) {
    await page.route(isAt(path), (route) => route.abort());
    await page.goto(serviceUrl);
    if (path.includes('/boot-')) await page.getByRole('heading', { name: 'Networks' }).waitFor();
    else await page.getByRole('heading', { name: 'Slipway did not load' }).waitFor();
    await page.unrouteAll();
  }
});

test('whichever file arrives at the third attempt, the page is there, with its look', async () => {
  for (const path of await askedFor('/networks/new', /^\/assets\/.*\.(js|css)$/)) {
    let attempts = 0;
    const late = (route: Route) => {
      attempts += 1;
      return attempts < 3 ? route.abort() : route.continue();
    };
    if (path.includes('/boot-')) continue;
    await page.route(isAt(path), late);
    await page.goto(`${serviceUrl}/networks/new`);
    await page.getByRole('button', { name: 'Create network' }).waitFor();
    await page.waitForFunction("getComputedStyle(document.body).margin === '0px'");
    await page.unrouteAll();
  }
});

test('a page whose file never arrives says so in its place, and its button loads it', async () => {
  let isAway = true;
  await page.route(/\/assets\/CreatePage-/, (route) => (isAway ? route.abort() : route.continue()));
  await page.goto(`${serviceUrl}/networks/new`);
  await page.getByText('This part did not load').waitFor();
  await page.getByRole('link', { name: 'Tokens' }).waitFor();
  isAway = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('button', { name: 'Create network' }).waitFor();
});

test.each(paths)('whichever request of %s fails, the page says what failed', async (path) => {
  const failure = { kind: 'Error', status: { code: 500, reason: 'InternalError', message: 'made to fail' } };
  for (const api of await askedFor(path, /v1alpha/)) {
    await page.route(isAt(api), (route) => route.fulfill({ status: 500, json: failure }));
    await page.goto(`${serviceUrl}${path}`);
    await page.getByText('made to fail').first().waitFor();
    expect(await textOf()).toMatch(/did not|does not|not up to date|no live updates/);
    await page.unrouteAll();
  }
});
