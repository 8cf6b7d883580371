import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { features, signIn } from '../features.ts';
import { useStore } from '../lib/useStore.ts';
import { Loading } from '../loading/Loading.tsx';
import { part } from '../loading/part.tsx';
import { session } from '../session/browser.ts';
import { InsideContext } from '../session/context.tsx';
import { Failure } from '../ui/Banner.tsx';
import { Button } from '../ui/Button.tsx';
import styles from './app.module.css';
import { inside, queryClient } from './inside.ts';
import { router } from './router.tsx';
import { texts } from './texts.ts';

// Whoever is signed in does not need it.
const SignIn = signIn?.Page ?? part(() => import('./KeySignIn.tsx').then((file) => file.KeySignIn));

const openPages = new Map(features.flatMap(({ openPages: own = {} }) => Object.entries(own)));

export function Gate() {
  const Open = openPages.get(location.pathname);
  if (Open) return <Open />;
  return signIn ? (
    <signIn.Around>
      <Inner />
    </signIn.Around>
  ) : (
    <Inner />
  );
}

/** Shows the page of the address to whoever is signed in. Others sign in first: the address stays as it is. */
function Inner() {
  const state = useStore(session.state);
  const value = useStore(inside);
  if (state.phase === 'signedOut') return <SignIn hasEnded={state.hasEnded} />;
  if (state.phase === 'failed') {
    return (
      <main className={styles.signIn}>
        <div className={styles.signInCard}>
          <Failure error={state.error} title={texts.failedTitle} />
          <Button look="primary" onClick={() => void session.start(signIn?.sessions)}>
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
