import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { projectRoot } from '../lib/paths.ts';
import { runProgram } from '../lib/program.ts';
import { UserError } from '../lib/run.ts';
import { startBrowser } from './browser.ts';

/**
 * `node hack/console/screenshots.ts`: takes the screenshots of docs/images with a running installation (SLIPWAY_URL and
 * SLIPWAY_API_KEY, as .slipway/env has them). Shows what is there: use an installation with networks that may be seen. Changes
 * nothing in it.
 */
const { SLIPWAY_URL = '', SLIPWAY_API_KEY = '' } = process.env;
const folder = join(projectRoot, 'docs', 'images');
const maxBytes = 100_000;
const qualities = [90, 75, 60, 45];

interface Shot {
  name: string;
  theme: 'light' | 'dark';
  /** Brings the page to what is shown. */
  open: (page: Page) => Promise<void>;
}

const goTo = (page: Page, path: string) => page.goto(`${SLIPWAY_URL}${path}`);

/** A page with a heading of this name. */
const at = (path: string, heading: string) => async (page: Page) => {
  await goTo(page, path);
  await page.getByRole('heading', { name: heading }).first().waitFor();
};

/** A network that runs, whose page has the most to show. */
async function openNetwork(page: Page): Promise<void> {
  await goTo(page, '/networks');
  const running = page.getByRole('row').filter({ has: page.locator('[data-state=Operational]') });
  await running.first().getByRole('link').click();
  await page.getByRole('heading', { name: 'Endpoints' }).waitFor();
}

async function openChange(page: Page): Promise<void> {
  await openNetwork(page);
  await page.getByRole('tab', { name: 'Spec' }).click();
  await page.getByRole('button', { name: 'Change' }).click();
  await page.getByLabel('Stop when unused for').fill('2h');
}

const shots: readonly Shot[] = [
  { name: 'networks', theme: 'light', open: at('/networks', 'Networks') },
  { name: 'networks-dark', theme: 'dark', open: at('/networks', 'Networks') },
  { name: 'create', theme: 'light', open: at('/networks/new', 'Create') },
  { name: 'network', theme: 'light', open: openNetwork },
  { name: 'change', theme: 'light', open: openChange },
  { name: 'members', theme: 'light', open: at('/settings/members', 'Members') },
  { name: 'api-keys', theme: 'light', open: at('/settings/api-keys', 'API keys') },
  { name: 'reference', theme: 'light', open: at('/docs#createNetwork', 'Credentials') },
];

async function signIn(browser: Browser): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await goTo(page, '/networks');
  await page.getByLabel('API key').fill(SLIPWAY_API_KEY);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Account', exact: true }).waitFor();
  return page;
}

/** WebP in the best quality that is small enough for a repository. */
async function capture(page: Page, name: string): Promise<Buffer> {
  const devTools = await page.context().newCDPSession(page);
  for (const quality of qualities) {
    const { data } = await devTools.send('Page.captureScreenshot', { format: 'webp', quality });
    const image = Buffer.from(data, 'base64');
    if (image.length <= maxBytes) return image;
  }
  throw new UserError(`the screenshot "${name}" is larger than ${maxBytes} bytes: show less on the page`);
}

async function takeAll(): Promise<void> {
  if (SLIPWAY_URL === '' || SLIPWAY_API_KEY === '')
    throw new UserError('set SLIPWAY_URL and SLIPWAY_API_KEY: . .slipway/env');
  mkdirSync(folder, { recursive: true });
  const browser = await startBrowser();
  try {
    const page = await signIn(browser);
    for (const { name, theme, open } of shots) {
      await page.evaluate(`localStorage.setItem('slipway-theme', '${theme}')`);
      await open(page);
      await page.evaluate('document.fonts.ready');
      const image = await capture(page, name);
      writeFileSync(join(folder, `${name}.webp`), image);
      console.log(`docs/images/${name}.webp ${image.length} bytes`);
    }
  } finally {
    await browser.close();
  }
}

runProgram(takeAll);
