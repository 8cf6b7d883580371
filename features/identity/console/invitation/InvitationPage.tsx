import { useEffect, useState } from 'react';
import { Logo } from '../../../../console/src/app/Logo.tsx';
import { useStore } from '../../../../console/src/lib/useStore.ts';
import { Loading } from '../../../../console/src/loading/Loading.tsx';
import { session } from '../../../../console/src/session/browser.ts';
import { Failure } from '../../../../console/src/ui/Banner.tsx';
import { buttonClass } from '../../../../console/src/ui/Button.tsx';
import surface from '../../../../console/src/ui/surface.module.css';
import type { InvitationOffer } from '../../../../sdk/src/generated/types.ts';
import { outside } from '../lib/elsewhere.ts';
import { SignIn } from '../signIn/SignIn.tsx';
import signIn from '../signIn/signIn.module.css';
import { Choices } from './Choices.tsx';
import styles from './invitation.module.css';
import { texts } from './texts.ts';

/** The part of the address that is sent to nobody. */
const token = location.hash.slice(1);

type Shown = { offer: InvitationOffer } | { error: unknown } | undefined;

/** What an invitation offers, and the ways to accept it. */
export function InvitationPage() {
  const [shown, setShown] = useState<Shown>(token === '' ? { error: new Error(texts.noToken) } : undefined);
  useEffect(() => {
    document.title = texts.title;
    if (token === '') return;
    outside.invitations.lookUp({ token }).then(
      (offer) => setShown({ offer }),
      (error: unknown) => setShown({ error }),
    );
  }, []);
  const { phase } = useStore(session.state);
  const [hasAccount, setHasAccount] = useState(false);
  if (hasAccount && phase === 'signedOut') return <SignIn hasEnded={false} />;
  return (
    <main className={signIn.page}>
      <div className={signIn.card}>
        <Logo />
        {!shown && <Loading />}
        {shown && 'error' in shown && <Failed error={shown.error} />}
        {shown && 'offer' in shown && <Offer offer={shown.offer} onHasAccount={() => setHasAccount(true)} />}
      </div>
    </main>
  );
}

interface OfferProps {
  offer: InvitationOffer;
  onHasAccount: () => void;
}

function Offer({ offer, onHasAccount }: OfferProps) {
  const { workspaceName, inviter, role, email, expiresAt, emailVerified } = offer;
  const until = new Date(expiresAt).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <>
      <h1>{texts.titleOf(workspaceName)}</h1>
      <p>{texts.invites(inviter, role)}</p>
      <dl className={surface.facts}>
        <dt>{texts.address}</dt>
        <dd>{email}</dd>
        <dt>{texts.until}</dt>
        <dd>{until}</dd>
      </dl>
      <Choices token={token} workspaceId={offer.workspaceID} onHasAccount={onHasAccount} />
      <p className={styles.hint}>{emailVerified ? texts.verified : texts.unverified}</p>
    </>
  );
}

function Failed({ error }: { error: unknown }) {
  return (
    <>
      <h1>{texts.title}</h1>
      <Failure error={error} title={texts.failedTitle} />
      <a className={buttonClass()} href="/">
        {texts.toConsole}
      </a>
    </>
  );
}
