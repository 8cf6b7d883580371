import { useState } from 'react';
import { isSlipwayError } from '../../../../sdk/src/error.ts';
import { session } from '../../session/browser.ts';
import { openWithPasskey } from '../../session/passkeys.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { messageOf } from '../../ui/toasts.ts';
import styles from '../app.module.css';
import { texts } from '../texts.ts';

const { signIn } = texts;

export function PasskeyButton() {
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const start = () => {
    setError(undefined);
    setBusy(true);
    session
      .signInBy(openWithPasskey)
      .catch((failure) => setError(whyOf(failure)))
      .finally(() => setBusy(false));
  };
  return (
    <>
      <Button look="primary" icon="key" className={styles.signInWide} isBusy={isBusy} onClick={start}>
        {signIn.passkey}
      </Button>
      {error && <Banner look="bad" icon="alert" title={error} />}
    </>
  );
}

/** Browsers say little of why there is no answer, so that pages learn nothing of the passkeys. */
function whyOf(error: unknown): string {
  if (isSlipwayError(error, 'Unauthorized')) return signIn.passkeyRefused;
  return isSlipwayError(error) ? messageOf(error) : signIn.passkeyFailed;
}
