import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { dueTime, relativeTime } from '../../../../console/src/lib/time.ts';
import { useNow } from '../../../../console/src/lib/useNow.ts';
import { session as ownSession } from '../../../../console/src/session/browser.ts';
import { useInside } from '../../../../console/src/session/context.tsx';
import { Button } from '../../../../console/src/ui/Button.tsx';
import { Confirm, type Question } from '../../../../console/src/ui/Confirm.tsx';
import { Icon } from '../../../../console/src/ui/Icon.tsx';
import { Loaded } from '../../../../console/src/ui/Loaded.tsx';
import surface from '../../../../console/src/ui/surface.module.css';
import { Tag } from '../../../../console/src/ui/Tag.tsx';
import { tell } from '../../../../console/src/ui/toasts.ts';
import type { Session } from '../../../../sdk/src/generated/types.ts';
import styles from './account.module.css';
import { browserName } from './browserName.ts';
import { texts } from './texts.ts';
import { useSessions } from './useSessions.ts';

const t = texts.sessions;

export function Sessions() {
  const sessions = useSessions();
  return (
    <section className={surface.card} aria-labelledby="sessions">
      <div className={surface.cardHead}>
        <h2 id="sessions">{t.title}</h2>
      </div>
      <div className={surface.cardBody}>
        <p className={styles.muted}>{t.text}</p>
      </div>
      <Loaded query={sessions}>{(data) => <List sessions={data} />}</Loaded>
    </section>
  );
}

function List({ sessions }: { sessions: readonly Session[] }) {
  const { client } = useInside();
  const queries = useQueryClient();
  const [question, setQuestion] = useState<Question>();
  const now = useNow(30_000);
  const end = ({ id, isCurrent }: Session) =>
    setQuestion({
      title: t.endTitle,
      text: t.endText,
      action: t.end,
      isDanger: true,
      run: async () => {
        if (isCurrent) return ownSession.signOut();
        await client.sessions.delete(id);
        tell(t.ended);
        await queries.invalidateQueries({ queryKey: ['sessions'] });
      },
    });
  return (
    <ul className={styles.list}>
      {sessions.map((one) => (
        <Row key={one.id} session={one} nowMs={now} onEnd={() => end(one)} />
      ))}
      <Confirm question={question} onClose={() => setQuestion(undefined)} />
    </ul>
  );
}

/** A way that this console does not know yet is named as it is. */
function methodText(method: string): string {
  const known: Readonly<Record<string, string>> = t.methods;
  return known[method] ?? method;
}

function Row({ session, nowMs, onEnd }: { session: Session; nowMs: number; onEnd: () => void }) {
  const { userAgent, source, method, createdAt, lastUsedAt, expiresAt, isCurrent } = session;
  const time = (text: string | undefined) => relativeTime(text, nowMs);
  const name = userAgent ? browserName(userAgent) : t.unknownBrowser;
  const facts = [
    methodText(method),
    source && t.from(source),
    createdAt && t.began(time(createdAt)),
    lastUsedAt && t.used(time(lastUsedAt)),
    t.expires(dueTime(expiresAt, nowMs)),
  ];
  return (
    <li>
      <Icon name="monitor" />
      <span className={styles.what}>
        <strong title={userAgent}>{name}</strong>
        {isCurrent && <Tag>{t.current}</Tag>}
        <span className={styles.facts}>{facts.filter(Boolean).join(' · ')}</span>
      </span>
      <Button isSmall onClick={onEnd} aria-label={`${t.end}: ${name}`}>
        {t.end}
      </Button>
    </li>
  );
}
