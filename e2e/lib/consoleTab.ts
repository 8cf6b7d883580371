import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { serviceUrl, token } from './service.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** A tab that is signed in to the console of the installation. */
export interface ConsoleTab {
  page: Page;
  goTo(path: string): Promise<void>;
  /** What axe finds wrong, run beside the page's own policy. */
  problems(): Promise<unknown>;
  /** What the page may not do: what its policy refused, and requests to other hosts. */
  offences(): string[];
  close(): Promise<void>;
}

export async function openConsole(browser: Browser): Promise<ConsoleTab> {
  const page = await (await browser.newContext()).newPage();
  const refused: string[] = [];
  const elsewhere: string[] = [];
  page.on('request', (request) => {
    const isOwn = [serviceUrl, 'data:', 'blob:'].some((start) => request.url().startsWith(start));
    if (!isOwn) elsewhere.push(request.url());
  });
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) refused.push(message.text());
  });
  await page.goto(serviceUrl);
  await page.getByLabel('API key').fill(token);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Account' }).waitFor();
  return {
    page,
    async goTo(path) {
      await page.goto(`${serviceUrl}${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
    },
    async problems() {
      const devTools = await page.context().newCDPSession(page);
      await devTools.send('Runtime.evaluate', { expression: axe });
      return page.evaluate(
        `axe.run({ runOnly: ${JSON.stringify(wcag)} }).then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => target)]))`,
      );
    },
    offences: () => [...refused, ...elsewhere],
    close: () => page.context().close(),
  };
}
