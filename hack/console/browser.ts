import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { UserError } from '../lib/run.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

export const browserRemedy =
  'no Chromium is installed: on Debian, apt-get install --no-install-recommends chromium';

/** The Chromium of this machine, if there is one. CHROMIUM names another one. */
export function findBrowser(): string | undefined {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(existsSync);
}

/** Starts the Chromium of this machine. Throws UserError when there is none. */
export function startBrowser(): Promise<Browser> {
  const executablePath = findBrowser();
  if (!executablePath) throw new UserError(browserRemedy);
  // Root has no sandbox. The pages are our own.
  return chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
}
