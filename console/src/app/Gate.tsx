import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useStore } from '../lib/useStore.ts';
import { Loading } from '../loading/Loading.tsx';
import { part } from '../loading/part.tsx';
import { session } from '../session/browser.ts';
import { InsideContext } from '../session/context.tsx';
import { Failure } from '../ui/Banner.tsx';
import { Button } from '../ui/Button.tsx';
import styles from './app.module.css';
import { inside, queryClient } from './inside.ts';
import { openPageAt } from './openPages.ts';
import { router } from './router.tsx';
import { linkToken } from './signIn/linkToken.ts';
import { texts } from './texts.ts';

// Whoever is signed in needs neither.
const SignIn = part(() => import('./signIn/SignIn.tsx').then((file) => file.SignIn));
const LinkSignIn = part(() => import('./signIn/LinkSignIn.tsx').then((file) => file.LinkSignIn));

/** Shows the page of the address to whoever is signed in. Others sign in first: the address stays as it is. */
export function Gate() {
  const state = useStore(session.state);
  const value = useStore(inside);
  const token = useStore(linkToken);
  const Open = openPageAt(location.pathname);
  if (Open) return <Open />;
  if (token !== undefined && state.phase !== 'loading') {
    return <LinkSignIn token={token} user={state.phase === 'signedIn' ? state.me.user : undefined} />;
  }
  if (state.phase === 'signedOut') return <SignIn hasEnded={state.hasEnded} />;
  if (state.phase === 'failed') {
    return (
      <main className={styles.signIn}>
        <div className={styles.signInCard}>
          <Failure error={state.error} title={texts.failedTitle} />
          <Button look="primary" onClick={() => void session.start()}>
            {texts.retry}
          </Button>
        </div>
      </main>
    );
  }
  if (!value) return <Loading />;
  return (
    <QueryClientProvider client={queryClient}>
      <InsideContext.Provider value={value}>
        <RouterProvider router={router} />
      </InsideContext.Provider>
    </QueryClientProvider>
  );
}
