import { useState } from 'react';
import { useStore } from '../../../../console/src/lib/useStore.ts';
import { Loading } from '../../../../console/src/loading/Loading.tsx';
import { session } from '../../../../console/src/session/browser.ts';
import { Failure } from '../../../../console/src/ui/Banner.tsx';
import { Button } from '../../../../console/src/ui/Button.tsx';
import { accountPage, outside } from '../lib/elsewhere.ts';
import { OtherWays } from '../signIn/OtherWays.tsx';
import styles from './invitation.module.css';
import { texts } from './texts.ts';

interface Props {
  token: string;
  workspaceId: string;
}

/** Whoever is signed in joins as that; others sign in, or get an account. */
export function Choices({ token, workspaceId, onHasAccount }: Props & { onHasAccount: () => void }) {
  const state = useStore(session.state);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const accept = (isNew: boolean) => () => {
    setBusy(true);
    setError(undefined);
    join({ token, workspaceId }, isNew).catch((failure: unknown) => {
      setError(failure);
      setBusy(false);
    });
  };
  if (state.phase === 'loading') return <Loading />;
  const failure = error !== undefined && <Failure error={error} title={texts.failedTitle} />;
  if (state.phase === 'signedIn') {
    const { name, email, id } = state.me.user;
    return (
      <div className={styles.actions}>
        <Button look="primary" isBusy={isBusy} onClick={accept(false)}>
          {texts.joinAs(name ?? email ?? id)}
        </Button>
        <Button look="quiet" onClick={() => void session.signOut()}>
          {texts.other}
        </Button>
        {failure}
      </div>
    );
  }
  return (
    <div className={styles.actions}>
      <Button look="primary" isBusy={isBusy} onClick={accept(true)}>
        {texts.create}
      </Button>
      <p className={styles.hint}>{texts.createHint}</p>
      <Button onClick={onHasAccount}>{texts.haveAccount}</Button>
      <OtherWays invitation={token} />
      {failure}
    </div>
  );
}

/** A new account has nothing to sign in with again: it goes to the page where that is chosen. */
async function join({ token, workspaceId }: Props, isNew: boolean): Promise<void> {
  await outside.invitations.accept({ token, ...(isNew ? { signIn: true } : {}) });
  await session.arrive(workspaceId);
  location.replace(isNew ? accountPage : '/');
}
