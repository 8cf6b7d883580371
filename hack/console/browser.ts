import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { UserError } from '../lib/run.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome'];

/** Starts the Chromium of this machine. Throws UserError when there is none. */
export function startBrowser(): Promise<Browser> {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const programs = folders.flatMap((folder) => names.map((name) => join(folder, name)));
  const executablePath = programs.find((program) => existsSync(program));
  if (!executablePath) {
    throw new UserError(
      'no Chromium is installed: install it (on Debian: apt-get install --no-install-recommends chromium)',
    );
  }
  // Root has no sandbox. The pages are our own.
  return chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
}
