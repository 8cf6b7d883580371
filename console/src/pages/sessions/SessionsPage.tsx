import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Client } from '../../../../sdk/src/client.ts';
import type { Session } from '../../../../sdk/src/generated/types.ts';
import { usePageTitle } from '../../app/usePageTitle.ts';
import { relativeTime } from '../../lib/time.ts';
import { useNow } from '../../lib/useNow.ts';
import { session as ownSession } from '../../session/browser.ts';
import { useInside } from '../../session/context.tsx';
import { Failure } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { Confirm, type Question } from '../../ui/Confirm.tsx';
import { Icon } from '../../ui/Icon.tsx';
import surface from '../../ui/surface.module.css';
import { texts as uiTexts } from '../../ui/texts.ts';
import { tell } from '../../ui/toasts.ts';
import { IdentitiesSection } from '../identities/IdentitiesSection.tsx';
import { browserName } from './browserName.ts';
import styles from './sessions.module.css';
import { texts } from './texts.ts';

/** Every session of the user, this one first, then the newest. */
async function allSessions(client: Client, signal: AbortSignal): Promise<Session[]> {
  const found: Session[] = [];
  for await (const one of client.sessions.listAll({}, { signal })) found.push(one);
  const begin = ({ createdAt = '' }: Session) => createdAt;
  return found.sort((a, b) => Number(b.isCurrent) - Number(a.isCurrent) || begin(b).localeCompare(begin(a)));
}

export function SessionsPage() {
  usePageTitle(texts.title);
  const { client } = useInside();
  const { data, error } = useQuery({
    queryKey: ['sessions'],
    queryFn: ({ signal }) => allSessions(client, signal),
  });
  return (
    <>
      <h1>{texts.title}</h1>
      <p className={styles.text}>{texts.text}</p>
      {error && <Failure error={error} />}
      {!data && !error && <p role="status">{uiTexts.loading}</p>}
      {data && <List sessions={data} />}
      <IdentitiesSection />
    </>
  );
}

function List({ sessions }: { sessions: readonly Session[] }) {
  const { client } = useInside();
  const queries = useQueryClient();
  const [question, setQuestion] = useState<Question>();
  const now = useNow(30_000);
  const end = ({ id, isCurrent }: Session) =>
    setQuestion({
      title: texts.endTitle,
      text: texts.endText,
      action: texts.end,
      isDanger: true,
      run: async () => {
        if (isCurrent) return ownSession.signOut();
        await client.sessions.delete(id);
        tell(texts.ended);
        await queries.invalidateQueries({ queryKey: ['sessions'] });
      },
    });
  return (
    <ul className={`${surface.card} ${styles.list}`}>
      {sessions.map((one) => (
        <Row key={one.id} session={one} nowMs={now} onEnd={() => end(one)} />
      ))}
      <Confirm question={question} onClose={() => setQuestion(undefined)} />
    </ul>
  );
}

function Row({ session, nowMs, onEnd }: { session: Session; nowMs: number; onEnd: () => void }) {
  const { userAgent, source, createdAt, lastUsedAt, expiresAt, isCurrent } = session;
  const time = (text: string | undefined) => relativeTime(text, nowMs);
  const facts = [
    source && texts.from(source),
    createdAt && texts.began(time(createdAt)),
    lastUsedAt && texts.used(time(lastUsedAt)),
    texts.expires(time(expiresAt)),
  ];
  return (
    <li>
      <Icon name="monitor" />
      <span className={styles.what}>
        <strong title={userAgent}>{userAgent ? browserName(userAgent) : texts.unknownBrowser}</strong>
        {isCurrent && <span className={styles.current}>{texts.current}</span>}
        <span className={styles.facts}>{facts.filter(Boolean).join(' · ')}</span>
      </span>
      <Button isSmall onClick={onEnd}>
        {texts.end}
      </Button>
    </li>
  );
}
