import { say } from '../lib/progress.ts';
import { callApi } from './api.ts';
import type { SlipwayEnvironment } from './environment.ts';

/** Says where the console is, with a link that signs in once. Once the first key is revoked there is none. */
export async function sayConsole(environment: SlipwayEnvironment): Promise<void> {
  const { SLIPWAY_URL: url, SLIPWAY_API_KEY_ID: keyId, SLIPWAY_API_KEY_SECRET: keySecret } = environment;
  const call = { method: 'POST', path: '/workspace/v1alpha1/sign-in-links' };
  const { status, body } = await callApi({ url, keyId, keySecret }, call);
  say('');
  say(consoleText(url, status === 201 ? String(body.url) : undefined));
}

/** A line to read, and one to open. */
export function consoleText(url: string, link: string | undefined): string {
  if (link === undefined) return `Console: ${url}`;
  return `Console: ${new URL(link).origin} — sign in once with this link, within 15 minutes:\n  ${link}`;
}
