import { session } from '../../../../console/src/session/browser.ts';
import type { Client } from '../../../../sdk/src/client.ts';
import { createClient } from '../../../../sdk/src/client.ts';
import type { SignInOptions } from '../../../../sdk/src/generated/types.ts';
import { addressOf, type BrowserWallet, signText } from './wallets.ts';

/** Where users choose what they sign in with. */
export const accountPage = '/account';

/** Requests of nobody in particular: they neither end nor need a session. */
export const outside: Client = createClient({ url: location.origin, retries: 1 });

let options: Promise<SignInOptions> | undefined;

/** The ways to sign in, asked for once. */
export function signInOptions(): Promise<SignInOptions> {
  options ??= outside.signIn.getOptions().catch((error: unknown) => {
    options = undefined;
    throw error;
  });
  return options;
}

interface Journey {
  /** Token of an invitation to accept with the sign-in. */
  invitation?: string;
}

/** Leaves for a provider; the page that it sends the browser back to goes on. Never resolves if all is well. */
export async function leaveFor(provider: string, { invitation }: Journey = {}): Promise<never> {
  const next = invitation === undefined ? `${location.pathname}${location.search}` : undefined;
  const { url } = await outside.signIn.beginOidc(provider, {
    ...(next === undefined ? {} : { next }),
    ...(invitation === undefined ? {} : { invitation }),
  });
  return goTo(url);
}

/** Leaves for a provider, to link an account there. */
export async function leaveToLink(client: Client, provider: string): Promise<never> {
  const { url } = await client.identities.beginOidc(provider);
  return goTo(url);
}

/** The state begins with what the attempt is for. */
export const isLinking = (query: string) =>
  new URLSearchParams(query).get('state')?.startsWith('link.') ?? false;

/** Signs in whoever came back from a provider. Resolves with the page to go to. */
export async function comeBack(query: string): Promise<string> {
  const { workspaceID, next } = await outside.signIn.withOidc({ callback: query });
  await session.arrive(workspaceID);
  return next ?? '/';
}

/** Links the account at the provider that the user came back from. */
export async function comeBackLinked(query: string): Promise<void> {
  await outside.identities.create({ callback: query });
}

export async function signInWithWallet(wallet: BrowserWallet): Promise<void> {
  const address = await addressOf(wallet);
  const { message, challenge } = await outside.signIn.beginWallet({ address });
  await outside.signIn.withWallet({ challenge, signature: await signText(wallet, message, address) });
  await session.arrive();
}

export async function linkWallet(client: Client, wallet: BrowserWallet): Promise<void> {
  const address = await addressOf(wallet);
  const { message, challenge } = await client.identities.beginWallet({ address });
  const signature = await signText(wallet, message, address);
  await client.identities.create({ wallet: { challenge, signature } });
}

function goTo(url: string): Promise<never> {
  location.assign(url);
  return new Promise(() => {});
}
