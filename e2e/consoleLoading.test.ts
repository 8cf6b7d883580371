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

test('when a script of the first load never arrives, the page says so; without the one that asks again, it is there', async () => {
  const html = await fetch(serviceUrl, { headers: { Accept: 'text/html' } }).then((answer) => answer.text());
  const found = [...html.matchAll(/(?:src|modulepreload" crossorigin href)="(\/assets\/[^"]+\.js)"/g)];
  const scripts = found.map(([, path = '']) => path);
  const [boot = '', entry = ''] = scripts;
  expect(boot).toContain('/boot-');
  for (const path of [entry, scripts.at(-1) ?? '', boot]) {
    await page.route(isAt(path), (route) => route.abort());
    await page.goto(serviceUrl);
    const title = path === boot ? 'Networks' : 'Slipway did not load';
    await page.getByRole('heading', { name: title }).waitFor();
    await page.unrouteAll();
  }
});

test('files that arrive at the third attempt make the same page, with its look', async () => {
  const all = await askedFor('/networks/new', /^\/assets\/.*\.(js|css)$/);
  const chosen = all.filter((path) => /\.css$|\/(index|CreatePage|Field)-/.test(path));
  expect(chosen.length).toBeGreaterThan(3);
  for (const path of chosen) {
    let attempts = 0;
    const late = (route: Route) => {
      attempts += 1;
      return attempts < 3 ? route.abort() : route.continue();
    };
    await page.route(isAt(path), late);
    await page.goto(`${serviceUrl}/networks/new`);
    await page.getByRole('button', { name: 'Create network' }).waitFor();
    while (!(await page.evaluate("getComputedStyle(document.body).margin === '0px'")))
      await page.waitForTimeout(100);
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

test('while the file of the next page is late, the former page does not stay under its address', async () => {
  await page.route(/\/assets\/TokensPage-/, () => {});
  await page.goto(`${serviceUrl}/secrets`);
  await page.getByRole('heading', { name: 'Secrets' }).waitFor();
  await page.getByRole('link', { name: 'Tokens' }).click();
  await page.getByRole('main').getByText('Loading').waitFor();
  expect(await page.getByRole('heading', { name: 'Secrets' }).count()).toBe(0);
});

/** What every page asks for is tried on the first one. */
const asked = new Set<string>();

test.each(paths)('whichever request of %s fails, the page says what failed', async (path) => {
  const failure = { kind: 'Error', reason: 'Internal', message: 'made to fail', requestId: 'r' };
  const own = (await askedFor(path, /v1alpha/)).filter((api) => !asked.has(api));
  for (const api of own) {
    asked.add(api);
    await page.route(isAt(api), (route) => route.fulfill({ status: 500, json: failure }));
    await page.goto(`${serviceUrl}${path}`);
    await page.getByText('made to fail').first().waitFor();
    expect(await textOf()).toMatch(/did not|does not|not up to date|no live updates/);
    await page.unrouteAll();
  }
});

test.each([
  ['/networks/any', 'This page did not load'],
  ['/networks/any/explorer', 'This page did not load'],
  ['/tokens', 'Tokens did not load'],
  ['/transactions/new', 'The networks did not load'],
])('while the event stream is refused, %s says why, and goes on when it is asked to', async (path, title) => {
  const failure = { kind: 'Error', reason: 'Unavailable', message: 'etcd is away', requestId: 'request-1' };
  await page.route(isAt('/v1alpha/events'), (route) => route.fulfill({ status: 503, json: failure }));
  await page.goto(`${serviceUrl}${path}`);
  await page.getByText(title).waitFor();
  const text = await textOf();
  expect(text).toContain('etcd is away');
  expect(text).toContain('Request request-1');
  expect(text).not.toContain('There are no networks');
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText(title).waitFor({ state: 'detached' });
});
