import { useQuery } from '@tanstack/react-query';
import { usePageTitle } from '../../../../console/src/app/usePageTitle.ts';
import { Loading } from '../../../../console/src/loading/Loading.tsx';
import { useInside } from '../../../../console/src/session/context.tsx';
import { Failed } from '../../../../console/src/ui/Loaded.tsx';
import { IdentitiesSection } from '../identities/IdentitiesSection.tsx';
import styles from './account.module.css';
import { FirstKey } from './FirstKey.tsx';
import { useFirstKey } from './firstKey.ts';
import { news } from './news.ts';
import { Passkeys } from './Passkeys.tsx';
import { Password } from './Password.tsx';
import { Sessions } from './Sessions.tsx';
import { texts } from './texts.ts';
import { readWays } from './ways.ts';

/** How the user signs in, and where somebody is signed in as the user. */
export function AccountPage() {
  usePageTitle(news.page);
  const { client, me } = useInside();
  const firstKey = useFirstKey();
  const query = useQuery({
    queryKey: ['ways'],
    queryFn: ({ signal }) => readWays(client, signal),
  });
  const { data: ways, error } = query;
  return (
    <div className={styles.page}>
      <div>
        <h1>{news.page}</h1>
        <p className={styles.text}>{texts.text(me.user.name ?? me.user.email ?? me.user.id)}</p>
      </div>
      {error && <Failed query={query} />}
      {!ways && !error && <Loading />}
      {ways && firstKey && <FirstKey firstKey={firstKey} ways={ways} />}
      {ways && <Passkeys ways={ways} />}
      {ways && <Password password={ways.password} />}
      <IdentitiesSection />
      <Sessions />
    </div>
  );
}
