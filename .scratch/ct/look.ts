import { chromium } from 'playwright-core';
import { admin } from '../../apiserver/testing/accountsApi.ts';
import { startInstallation } from './installation.ts';
import { operational } from './operator.ts';

const out = process.argv[2] ?? '/tmp/shots';
const world = await startInstallation({ folder: 'dist/service/console' });
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
const page = await context.newPage();
page.on('console', (m) => console.log('console', m.type(), m.text()));
page.on('pageerror', (e) => console.log('pageerror', e.message));
page.on('response', (r) => r.status() >= 400 && console.log(r.status(), r.url()));
const shot = (name: string) => page.screenshot({ path: `${out}/${name}.png` });
await page.goto(world.url);
await page.getByLabel('API key').fill('nonsense');
await page.getByRole('button', { name: 'Sign in' }).click();
await page.getByRole('alert').waitFor();
await shot('signin-wrong');
await page.getByLabel('API key').fill(admin);
await page.keyboard.press('Enter');
await page.getByRole('heading', { name: 'Create your first network' }).waitFor();
await shot('empty');
await page.getByRole('link', { name: 'Create network' }).click();
await page.getByLabel('Name').fill('my-net');
await shot('create');
await page.getByLabel('Name').fill('My Net');
await page.getByRole('button', { name: 'Create network' }).click();
await page.locator('[aria-invalid]').first().waitFor();
await shot('create-error');
await page.getByLabel('Name').fill('my-net');
await page.getByRole('button', { name: 'Create network' }).click();
await page.getByRole('heading', { name: 'my-net' }).waitFor();
await shot('network-starting');
await page.locator('[data-state=Operational]').first().waitFor();
await shot('network');
for (const tab of ['Logs', 'Activity', 'Snapshots', 'Spec']) {
  await page.getByRole('tab', { name: tab, exact: true }).click();
  await page.waitForTimeout(600);
  await shot(`network-${tab}`);
}
for (let i = 0; i < 30; i += 1) {
  const type = ['Ethereum', 'Base', 'Solana'][i % 3] ?? '';
  const state = ['Stopped', 'Operational', 'Error', 'Stopped'][i % 4];
  const network = await world.add(
    `team-${i}-${i === 3 ? 'with-a-name-that-is-as-long-as-names-can-be-here' : 'net'}`,
    { state: 'Stopped' },
    { chain: { type, [type.toLowerCase()]: { privateKeyRef: { name: 'k' } } }, idleAfter: '30m' },
  );
  await world.operator.set(network, {
    ...operational(network),
    state,
    message: state === 'Error' ? 'the secret "k" does not exist: create it' : '',
    plugins: {
      graph: { state: 'Ready', addresses: { node: 'http://graph' } },
      vrf: { state: 'Pending', message: 'deploying' },
    },
  } as never);
}
await page.getByRole('link', { name: 'Networks' }).first().click();
await page.waitForTimeout(300);
await shot('list');
await page.getByLabel('State').selectOption('Error');
await page.waitForTimeout(300);
await shot('list-filtered');
await page.getByRole('link', { name: 'team-2-net' }).click();
await page.waitForTimeout(300);
await shot('network-error');
await page.getByRole('button', { name: 'More actions' }).click();
await page.waitForTimeout(200);
await shot('menu');
await page.getByRole('menuitem', { name: 'Delete' }).click();
await page.waitForTimeout(200);
await shot('delete');
await page.keyboard.press('Escape');
await page.getByRole('button', { name: 'Account' }).click();
await page.getByRole('menuitemradio', { name: 'Dark' }).click();
await page.waitForTimeout(200);
await shot('network-dark');
await page.goto(`${world.url}/sessions`);
await page.waitForTimeout(600);
await shot('sessions-dark');
await page.goto(`${world.url}/networks`);
await page.waitForTimeout(600);
await shot('list-dark');
await page.setViewportSize({ width: 375, height: 740 });
await page.waitForTimeout(300);
await shot('list-phone');
await page.goto(`${world.url}/networks/new`);
await page.waitForTimeout(400);
await shot('create-phone');
await browser.close();
await world.close();
process.exit(0);
