import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { serviceUrl, token } from './service.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** What a page has done so far. */
interface Watched {
  /** URLs of every request. */
  requests: string[];
  /** Reports of the Content-Security-Policy. */
  violations: string[];
}

/** Notes what a page does from now on. */
export function watchPage(page: Page): Watched {
  const watched: Watched = { requests: [], violations: [] };
  page.on('request', (request) => watched.requests.push(request.url()));
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) watched.violations.push(message.text());
  });
  return watched;
}

/** Opens a path of the console and signs in with the first API key. */
export async function signInWithKey(page: Page, path = '/networks'): Promise<void> {
  await page.goto(`${serviceUrl}${path}`);
  await page.getByLabel('API key').fill(token);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Account', exact: true }).waitFor();
}

/** Fills in the form for a secret on the page of secrets, and sends it. The value is hex digits without a prefix. */
export async function createSecret(page: Page, name: string, digits: string): Promise<void> {
  await page.getByRole('button', { name: 'Create secret' }).first().click();
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByLabel('Data').selectOption('hex');
  await page.getByLabel('Value').fill(`0x${digits}`);
  await page.getByRole('button', { name: 'Create secret' }).click();
  // The list may show the secret before the form has its answer.
  await page.getByLabel('Value').waitFor({ state: 'detached' });
}

/** Waits for a secret in the list. A long list shows the rows that are in sight. */
export async function seeSecret(page: Page, name: string): Promise<void> {
  await page.getByLabel('Search by name').fill(name);
  await page.getByRole('button', { name: `Delete ${name}` }).waitFor();
}

/** What axe finds wrong, run beside the page's own policy. */
export async function findProblems(page: Page): Promise<unknown> {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('Runtime.evaluate', { expression: axe });
  return page.evaluate(
    `axe.run({ runOnly: ${JSON.stringify(wcag)} }).then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => target)]))`,
  );
}
