import type { Browser, Page } from 'playwright-core';
import { findProblems, signInWithKey, watchPage } from './browserPage.ts';
import { serviceUrl } from './service.ts';

/** A page of the console, and what it does that it should not. */
export interface ConsolePage {
  page: Page;
  /** URLs of every request. */
  requests: string[];
  /** Opens a path of the console, and waits for its heading. */
  goTo(path: string): Promise<void>;
  /** Reports of the Content-Security-Policy, and requests to other hosts. */
  offences(): string[];
  /** What axe finds wrong. */
  problems(): Promise<unknown>;
  close(): Promise<void>;
}

interface Options {
  /** Schemes of addresses that the page makes itself. */
  ownSchemes?: readonly string[];
}

/** Opens the console in a browser that nobody has used, signed in with the first API key. */
export async function openConsole(
  browser: Browser,
  { ownSchemes = ['data:'] }: Options = {},
): Promise<ConsolePage> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const { requests, violations } = watchPage(page);
  await signInWithKey(page);
  const isOwn = (url: string) => [serviceUrl, ...ownSchemes].some((start) => url.startsWith(start));
  return {
    page,
    requests,
    async goTo(path) {
      await page.goto(`${serviceUrl}${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
    },
    offences: () => [...violations, ...requests.filter((url) => !isOwn(url))],
    problems: () => findProblems(page),
    close: () => context.close(),
  };
}
