import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium, type Route } from 'playwright-core';
import { UserError } from '../lib/run.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

export const browserRemedy =
  'no Chromium is installed: on Debian, apt-get install --no-install-recommends chromium';

/** Whatever a page is waited for longer hangs. */
const hangsAfterMs = 300_000;

/** The Chromium of this machine, if there is one. CHROMIUM names another one. */
export function findBrowser(): string | undefined {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(existsSync);
}

/** Starts the Chromium of this machine. Throws UserError when there is none. */
export async function startBrowser(): Promise<Browser> {
  const executablePath = findBrowser();
  if (!executablePath) throw new UserError(browserRemedy);
  // Root has no sandbox. The pages are our own.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const browser = await chromium.launch({ executablePath, args });
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    context.setDefaultTimeout(hangsAfterMs);
    await context.route('**/assets/**', loadApart);
    return context;
  };
  return browser;
}

/**
 * Chromium gives up what it loads whenever an interface of the machine comes or goes, and on the native node every pod has
 * one. The parts of a page are therefore loaded for it.
 */
async function loadApart(route: Route): Promise<void> {
  // The page may be gone by the time of the answer.
  await route
    .fetch({ maxRetries: 3 })
    .then((response) => route.fulfill({ response }))
    .catch(() => undefined);
}
