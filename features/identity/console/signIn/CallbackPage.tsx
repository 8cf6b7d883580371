import { useEffect, useState } from 'react';
import { Logo } from '../../../../console/src/app/Logo.tsx';
import { Failure } from '../../../../console/src/ui/Banner.tsx';
import { buttonClass } from '../../../../console/src/ui/Button.tsx';
import { Icon } from '../../../../console/src/ui/Icon.tsx';
import { accountPage, comeBack, comeBackLinked, isLinking } from '../lib/elsewhere.ts';
import styles from './signIn.module.css';
import { texts } from './texts.ts';

/** What the provider sent counts once: it is read when this page is loaded, and leaves the address at once. */
const query = location.search.slice(1);
const isForLink = isLinking(query);

async function arrive(): Promise<string> {
  history.replaceState(null, '', location.pathname);
  if (!isForLink) return comeBack(query);
  await comeBackLinked(query);
  return accountPage;
}

/** React may show a page twice; whoever came back is asked about once. */
let arrival: Promise<string> | undefined;

/** Where a provider sends the browser back to. */
export function CallbackPage() {
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    document.title = texts.callbackTitle;
    arrival ??= arrive();
    arrival.then((next) => location.replace(next), setError);
  }, []);
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <Logo />
        {error === undefined ? <Busy /> : <Failed error={error} />}
      </div>
    </main>
  );
}

function Busy() {
  return (
    <>
      <h1>{texts.callbackTitle}</h1>
      <p role="status">
        <Icon name="loader" isSpinning /> {texts.callbackBusy}
      </p>
    </>
  );
}

function Failed({ error }: { error: unknown }) {
  const title = isForLink ? texts.linkFailedTitle : texts.failedTitle;
  return (
    <>
      <h1>{title}</h1>
      <Failure error={error} />
      <a className={buttonClass({ look: 'primary' })} href={isForLink ? accountPage : '/'}>
        {isForLink ? texts.toAccount : texts.toSignIn}
      </a>
    </>
  );
}
