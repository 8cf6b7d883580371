import type { Browser } from 'playwright-core';
import { startBrowser } from '../hack/console/browser.ts';
import { type ConsolePage, openConsole } from './lib/consolePage.ts';
import { serviceUrl } from './lib/service.ts';

/** The documentation that an installation serves. */

let browser: Browser;
let opened: ConsolePage | undefined;

beforeAll(async () => {
  browser = await startBrowser();
});
afterEach(async () => {
  expect(opened?.offences() ?? []).toEqual([]);
  await opened?.close();
  opened = undefined;
});
afterAll(() => browser.close());

async function open(path: string) {
  opened = await openConsole(browser);
  await opened.goTo(path);
  return opened.page;
}

test('the console leads to the documentation', async () => {
  const page = await open('/networks');
  await page.getByRole('link', { name: 'Docs', exact: true }).click();
  await page.getByRole('heading', { name: 'Slipway documentation', level: 1 }).waitFor();
});

test('a search by keyboard alone finds a part of a page', async () => {
  const page = await open('/guide/tour');
  await page.keyboard.press('/');
  await page.keyboard.type('idempotency submit');
  await page.getByRole('navigation', { name: 'Results' }).getByRole('link').first().waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.pathname !== '/guide/tour');
  expect(new URL(page.url()).pathname).toMatch(/^\/guide\//);
});

test('a page that does not exist says so, with the index', async () => {
  const answer = await fetch(`${serviceUrl}/guide/nothing`, { headers: { Accept: 'text/html' } });
  const text = await answer.text();
  expect([answer.status, text.includes('Page not found'), text.includes('>Using networks</a>')]).toEqual([
    404,
    true,
    true,
  ]);
});

test.each([
  ['light', 1280],
  ['dark', 1280],
  ['light', 390],
] as const)('pages are accessible in %s at %i pixels', async (colorScheme, width) => {
  const page = await open('/guide/');
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width, height: 800 });
  for (const name of ['', 'networks', 'security', 'clients', 'decisions']) {
    await page.goto(`${serviceUrl}/guide/${name}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect([name, await opened?.problems()]).toEqual([name, []]);
  }
});
