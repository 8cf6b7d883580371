import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { serviceUrl, token } from './service.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** A page of the console, and what it does that it should not. */
export interface ConsolePage {
  page: Page;
  /** URLs of every request. */
  requests: string[];
  /** Reports of the Content-Security-Policy, and requests to other hosts. */
  offences(): string[];
  /** What axe finds wrong, run beside the page's own policy. */
  problems(): Promise<unknown>;
  close(): Promise<void>;
}

/** Opens a path in a browser that nobody has used, signed in with the first API key. */
export async function openConsole(browser: Browser, path: string): Promise<ConsolePage> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const requests: string[] = [];
  const reports: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) reports.push(message.text());
  });
  await page.goto(`${serviceUrl}/networks`);
  await page.getByLabel('API key').fill(token);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Account', exact: true }).waitFor();
  await page.goto(`${serviceUrl}${path}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  return {
    ...{ page, requests },
    offences: () => [
      ...reports,
      ...requests.filter((url) => !url.startsWith(serviceUrl) && !url.startsWith('data:')),
    ],
    async problems() {
      const devTools = await context.newCDPSession(page);
      await devTools.send('Runtime.evaluate', { expression: axe });
      return page.evaluate(
        `axe.run({ runOnly: ${JSON.stringify(wcag)} }).then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => target)]))`,
      );
    },
    close: () => context.close(),
  };
}
