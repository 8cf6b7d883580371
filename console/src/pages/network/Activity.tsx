import { useQuery } from '@tanstack/react-query';
import type { Network, Submission } from '../../../../sdk/src/generated/types.ts';
import { absoluteTime, relativeTime } from '../../lib/time.ts';
import { useNow } from '../../lib/useNow.ts';
import { HashLink } from '../../parts/links.tsx';
import { useInside, useKind, useLive, useMay } from '../../session/context.tsx';
import { StateBadge } from '../../ui/StateBadge.tsx';
import surface from '../../ui/surface.module.css';
import { merged } from '../transactions/submissions.ts';
import { historyOf } from './history.ts';
import styles from './network.module.css';
import { texts } from './texts.ts';

/** What happened to a network, as far as anybody keeps it, and where to look for more. */
export function ActivityList({ network }: { network: Network }) {
  const { activity, snapshots } = useLive();
  const submissions = useSubmissions(network.id);
  const now = useNow(30_000);
  const entries = historyOf(network, {
    live: activity.get(network.id) ?? [],
    submissions,
    snapshots: snapshots.values(),
  });
  return (
    <div className={surface.card}>
      <ol className={styles.activity}>
        {entries.map(({ key, at, title, text, state, hash }) => (
          <li key={key}>
            <time dateTime={at} title={absoluteTime(at)}>
              {relativeTime(at, now)}
            </time>
            <span>{state && <StateBadge state={state} />}</span>
            <span>
              <strong>{title}</strong> {hash && <HashLink network={network.id} hash={hash} />}
              {text && <span className={styles.muted}> {text}</span>}
            </span>
          </li>
        ))}
      </ol>
      <p className={surface.note}>{texts.history.hint}</p>
    </div>
  );
}

const newest = 50;

/** The newest transactions that were submitted for the network. */
function useSubmissions(networkId: string): Submission[] {
  const { client } = useInside();
  const { objects } = useKind('transaction');
  const { data } = useQuery({
    queryKey: ['submissions', 'of', networkId],
    enabled: useMay('transactions:read'),
    queryFn: ({ signal }) =>
      client.transactions.list({ selector: `network_id == ${networkId}`, limit: newest }, { signal }),
  });
  const live = [...objects.values()].filter(({ network_id }) => network_id === networkId);
  return merged(data?.items ?? [], live);
}
