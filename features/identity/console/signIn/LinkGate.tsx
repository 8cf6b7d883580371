import type { ReactNode } from 'react';
import { useStore } from '../../../../console/src/lib/useStore.ts';
import { part } from '../../../../console/src/loading/part.tsx';
import { session } from '../../../../console/src/session/browser.ts';
import { linkToken } from './linkToken.ts';

const LinkSignIn = part(() => import('./LinkSignIn.tsx').then((file) => file.LinkSignIn));

/** Whoever has opened a sign-in link decides about it before anything else is shown. */
export function LinkGate({ children }: { children: ReactNode }) {
  const state = useStore(session.state);
  const token = useStore(linkToken);
  if (token === undefined || state.phase === 'loading') return children;
  return <LinkSignIn token={token} user={state.phase === 'signedIn' ? state.me.user : undefined} />;
}
