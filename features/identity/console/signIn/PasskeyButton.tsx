import { useState } from 'react';
import styles from '../../../../console/src/app/app.module.css';
import { session } from '../../../../console/src/session/browser.ts';
import { Banner } from '../../../../console/src/ui/Banner.tsx';
import { Button } from '../../../../console/src/ui/Button.tsx';
import { messageOf } from '../../../../console/src/ui/toasts.ts';
import { isSlipwayError } from '../../../../sdk/src/error.ts';
import { openWithPasskey } from '../lib/passkeys.ts';
import { texts } from './texts.ts';

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
        {texts.passkey}
      </Button>
      {error && <Banner look="bad" icon="alert" title={error} />}
    </>
  );
}

/** Browsers say little of why there is no answer, so that pages learn nothing of the passkeys. */
function whyOf(error: unknown): string {
  if (isSlipwayError(error, 'Unauthorized')) return texts.passkeyRefused;
  return isSlipwayError(error) ? messageOf(error) : texts.passkeyFailed;
}
