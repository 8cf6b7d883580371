import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { session } from '../../../../console/src/session/browser.ts';
import { useInside } from '../../../../console/src/session/context.tsx';
import { Button } from '../../../../console/src/ui/Button.tsx';
import { Confirm, type Question } from '../../../../console/src/ui/Confirm.tsx';
import { Icon } from '../../../../console/src/ui/Icon.tsx';
import surface from '../../../../console/src/ui/surface.module.css';
import { tell, tellFailure } from '../../../../console/src/ui/toasts.ts';
import type { ApiKey } from '../../../../sdk/src/generated/types.ts';
import { canUsePasskeys, openWithPasskey } from '../lib/passkeys.ts';
import styles from './account.module.css';
import { texts } from './texts.ts';
import { useSessions } from './useSessions.ts';
import { refreshWays, type Ways } from './ways.ts';

const t = texts.firstKey;

/** What the administrator does first: a way to sign in, one sign-in with it, and then the first key goes. */
export function FirstKey({ firstKey, ways }: { firstKey: ApiKey; ways: Ways }) {
  const { data: sessions = [] } = useSessions();
  const method = sessions.find(({ isCurrent }) => isCurrent)?.method;
  const hasWay = ways.passkeys.length > 0 || ways.password.isSet;
  const isTried = method === 'passkey' || method === 'password';
  const canTry = ways.passkeys.length > 0 && canUsePasskeys(ways.options.passkeyOrigin);
  return (
    <section className={surface.card} aria-labelledby="firstKey">
      <div className={surface.cardHead}>
        <h2 id="firstKey">{t.title}</h2>
      </div>
      <div className={surface.cardBody}>
        <p className={styles.muted}>{t.text}</p>
        <ol className={styles.steps}>
          <Step isDone={hasWay} text={t.way} />
          <Step isDone={isTried} text={t.try}>
            {hasWay && !isTried && <TryButton canTry={canTry} />}
          </Step>
          <Step isDone={false} text={t.revoke}>
            {isTried && <RevokeButton firstKey={firstKey} />}
          </Step>
        </ol>
      </div>
    </section>
  );
}

function Step({ isDone, text, children }: { isDone: boolean; text: string; children?: ReactNode }) {
  return (
    <li>
      <span className={isDone ? styles.done : styles.todo}>
        {isDone && <Icon name="check" />}
        {text} {isDone && <span className={styles.isDone}>({t.done})</span>}
      </span>
      {children}
    </li>
  );
}

/** With a passkey at once; with a password after signing out, as at any other time. */
function TryButton({ canTry }: { canTry: boolean }) {
  const start = () => {
    const done = canTry ? session.signInBy(openWithPasskey) : session.signOut();
    void done.catch(tellFailure);
  };
  return (
    <Button isSmall onClick={start}>
      {canTry ? t.tryPasskey : t.trySignOut}
    </Button>
  );
}

function RevokeButton({ firstKey }: { firstKey: ApiKey }) {
  const { client } = useInside();
  const queries = useQueryClient();
  const [question, setQuestion] = useState<Question>();
  const ask = () =>
    setQuestion({
      title: t.revokeTitle,
      text: t.revokeText,
      action: t.revokeAction,
      isDanger: true,
      run: async () => {
        await client.apiKeys.delete({ id: firstKey.workspaceID, keyId: firstKey.id });
        tell(t.revoked);
        await refreshWays(queries);
      },
    });
  return (
    <>
      <Button isSmall look="danger" onClick={ask}>
        {t.revokeAction}
      </Button>
      <Confirm question={question} onClose={() => setQuestion(undefined)} />
    </>
  );
}
