import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { relativeTime } from '../../../../console/src/lib/time.ts';
import { useNow } from '../../../../console/src/lib/useNow.ts';
import { Loading } from '../../../../console/src/loading/Loading.tsx';
import { useInside } from '../../../../console/src/session/context.tsx';
import { Button } from '../../../../console/src/ui/Button.tsx';
import { Confirm, type Question } from '../../../../console/src/ui/Confirm.tsx';
import { Icon } from '../../../../console/src/ui/Icon.tsx';
import { Failed } from '../../../../console/src/ui/Loaded.tsx';
import surface from '../../../../console/src/ui/surface.module.css';
import { tell } from '../../../../console/src/ui/toasts.ts';
import type { Client } from '../../../../sdk/src/client.ts';
import type { Identity } from '../../../../sdk/src/generated/types.ts';
import { useSignInOptions } from '../signIn/OtherWays.tsx';
import styles from './identities.module.css';
import { LinkMore } from './LinkMore.tsx';
import { texts } from './texts.ts';

async function allIdentities(client: Client, signal: AbortSignal): Promise<Identity[]> {
  const found: Identity[] = [];
  for await (const one of client.identities.listAll({}, { signal })) found.push(one);
  return found;
}

/** The part of the account page that is about identity providers and wallets. */
export function IdentitiesSection() {
  const { client } = useInside();
  const queries = useQueryClient();
  const query = useQuery({
    queryKey: ['identities'],
    queryFn: ({ signal }) => allIdentities(client, signal),
  });
  const { data, error } = query;
  const reload = () => queries.invalidateQueries({ queryKey: ['identities'] });
  return (
    <section className={surface.card} aria-labelledby="identities">
      <div className={surface.cardHead}>
        <h2 id="identities">{texts.title}</h2>
      </div>
      {data && data.length > 0 && <List identities={data} onChange={reload} />}
      <div className={surface.cardBody}>
        <p className={styles.text}>{texts.text}</p>
        {error && <Failed query={query} />}
        {!data && !error && <Loading />}
        <LinkMore onChange={reload} />
      </div>
    </section>
  );
}

function List({ identities, onChange }: { identities: readonly Identity[]; onChange: () => Promise<void> }) {
  const { client } = useInside();
  const [question, setQuestion] = useState<Question>();
  const now = useNow(30_000);
  const unlink = ({ id }: Identity) =>
    setQuestion({
      title: texts.unlinkTitle,
      text: texts.unlinkText,
      action: texts.unlink,
      isDanger: true,
      run: async () => {
        await client.identities.delete(id);
        tell(texts.unlinked);
        await onChange();
      },
    });
  return (
    <ul className={styles.list}>
      {identities.map((one) => (
        <Row key={one.id} identity={one} nowMs={now} onUnlink={() => unlink(one)} />
      ))}
      <Confirm question={question} onClose={() => setQuestion(undefined)} />
    </ul>
  );
}

interface RowProps {
  identity: Identity;
  nowMs: number;
  onUnlink: () => void;
}

function Row({ identity, nowMs, onUnlink }: RowProps) {
  const { type, issuer, provider, email, address, createdAt } = identity;
  const titles = useSignInOptions()?.providers ?? [];
  const title = titles.find(({ name }) => name === provider)?.title ?? provider ?? issuer;
  const facts = [email ?? address, createdAt && texts.linked(relativeTime(createdAt, nowMs))];
  const name = type === 'wallet' ? texts.wallet : title;
  return (
    <li>
      <Icon name={type === 'wallet' ? 'wallet' : 'user'} />
      <span className={styles.what}>
        <strong>{name}</strong>
        <span className={styles.muted}>{facts.filter(Boolean).join(' · ')}</span>
      </span>
      <Button isSmall onClick={onUnlink} aria-label={`${texts.unlink} ${name} ${email ?? address ?? ''}`}>
        {texts.unlink}
      </Button>
    </li>
  );
}
