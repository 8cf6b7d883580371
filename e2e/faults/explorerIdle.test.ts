import type { Browser } from 'playwright-core';
import { startBrowser } from '../../hack/console/browser.ts';
import { signInWithKey } from '../lib/browserPage.ts';
import { createHotKey, reach, remove } from '../lib/networks.ts';
import { call, freshName } from '../lib/service.ts';

let browser: Browser;
let id: string;
beforeAll(async () => {
  browser = await startBrowser();
  const { name } = await createHotKey();
  const spec = { chain: { type: 'Ethereum', ethereum: { privateKeyRef: { name } } }, idleAfter: '60s' };
  const { body } = await call('POST', '/v1alpha/networks', { body: { name: freshName('idle'), spec } });
  id = body.id;
});
afterAll(async () => {
  await browser.close();
  await remove(id);
});

test('an open explorer does not keep a network running, and offers to start it', async () => {
  await reach(id, 'Operational');
  const page = await browser.newPage();
  await signInWithKey(page, `/networks/${id}/explorer`);
  await page.getByRole('heading', { name: 'Latest blocks' }).waitFor();
  await page.getByText('This network is stopped').waitFor({ timeout: 240_000 });
  await page.reload();
  await page.getByRole('button', { name: 'Wake' }).click();
  await page.getByRole('heading', { name: 'Latest blocks' }).waitFor();
});
