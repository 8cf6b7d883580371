import { createStore } from '../../../../console/src/lib/store.ts';

/** The secret of the sign-in link that this page was opened with. It is in no history, no storage and no request but one. */
export const linkToken = createStore<string | undefined>(undefined);

/** Takes the secret out of the address before anything else can see it. */
export function takeLinkToken(): void {
  const { pathname, hash } = location;
  if (pathname !== '/sign-in' || hash.length < 2) return;
  history.replaceState(null, '', '/sign-in');
  linkToken.set(hash.slice(1));
}
