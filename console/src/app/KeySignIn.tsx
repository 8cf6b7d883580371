import { useEffect } from 'react';
import { Banner } from '../ui/Banner.tsx';
import styles from './app.module.css';
import { KeyForm } from './KeyForm.tsx';
import { Logo } from './Logo.tsx';
import { texts } from './texts.ts';

const { signIn } = texts;

/** Where people have nothing but API keys. */
export function KeySignIn({ hasEnded }: { hasEnded: boolean }) {
  useEffect(() => {
    document.title = signIn.title;
  }, []);
  return (
    <main className={styles.signIn}>
      <div className={styles.signInCard}>
        <Logo />
        <h1>{signIn.title}</h1>
        {hasEnded && <Banner look="plain" icon="clock" title={signIn.ended} />}
        <KeyForm isOnly hint={signIn.hint} />
        <p className={styles.signInHelp}>{signIn.help}</p>
      </div>
    </main>
  );
}
