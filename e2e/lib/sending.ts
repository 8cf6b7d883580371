import type { Page } from 'playwright-core';
import { artifact } from '../../core/evm/testing/contracts.ts';

/**
 * On a page of the explorer: deploys a token whose supply of 1,000 is the owner's, and opens the page of its contract. `look` gets
 * the form that is filled in.
 */
export async function deployToken(
  page: Page,
  owner: string,
  look: () => Promise<void> = async () => {},
): Promise<void> {
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByLabel('What to send').selectOption('deploy');
  const buffer = Buffer.from(JSON.stringify(artifact('Token')));
  await page
    .getByLabel('Artifact')
    .setInputFiles({ name: 'Token.json', mimeType: 'application/json', buffer });
  await page.getByLabel('name (string)').fill('Token');
  await page.getByLabel('symbol (string)').fill('TOK');
  await page.getByLabel('initialSupply (uint256)').fill('1000');
  await page.getByLabel('owner (address)').fill(owner);
  await look();
  await page.getByRole('button', { name: 'Deploy' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Mined in block').waitFor();
  await dialog.getByRole('link', { name: /^0x[0-9a-fA-F]{40}$/ }).click();
}

/** On the page of a token: transfers some of it. */
export async function transferToken(
  page: Page,
  { to, amount }: { to: string; amount: string },
): Promise<void> {
  await page.getByRole('tab', { name: 'Write' }).click();
  await page.getByText('transfer(address,uint256)', { exact: true }).click();
  const form = page.locator('details[open]');
  await form.getByLabel('to (address)').fill(to);
  await form.getByLabel('amount (uint256)').fill(amount);
  await form.getByRole('button', { name: 'Send' }).click();
  await page.getByText('Mined in block').waitFor();
}
