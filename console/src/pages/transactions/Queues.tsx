import { useMemo } from 'react';
import { relativeTime } from '../../lib/time.ts';
import { useNow } from '../../lib/useNow.ts';
import { Address, NetworkLink } from '../../parts/links.tsx';
import { Section } from '../../parts/Section.tsx';
import { useKind } from '../../session/context.tsx';
import page from '../../ui/page.module.css';
import { Scrolled } from '../../ui/table/Scrolled.tsx';
import { queuesOf } from './submissions.ts';
import { texts } from './texts.ts';
import styles from './transactions.module.css';

const maxShown = 50;

/** Whose transactions are under way, and what they wait for: the stream has all that are open. */
export function Queues() {
  const { objects, revision } = useKind('transaction');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the map stays the same, its revision tells of changes.
  const queues = useMemo(() => queuesOf([...objects.values()]), [objects, revision]);
  const now = useNow(10_000);
  if (queues.length === 0) return null;
  const { queueColumns: columns } = texts;
  return (
    <div className={styles.queues}>
      <Section title={texts.queues} isPlain>
        <p>{texts.queuesHint}</p>
        <Scrolled label={texts.queues}>
          <table className={page.plainTable}>
            <thead>
              <tr>
                <th scope="col">{columns.sender}</th>
                <th scope="col">{columns.network}</th>
                <th scope="col">{columns.open}</th>
                <th scope="col">{columns.next}</th>
                <th scope="col">{columns.waits}</th>
              </tr>
            </thead>
            <tbody>
              {queues.slice(0, maxShown).map(({ sender, network, open, nonce, oldestAt, reason }) => (
                <tr key={`${network} ${sender}`}>
                  <th scope="row">
                    <Address network={network} address={sender} />
                  </th>
                  <td>
                    <NetworkLink id={network} />
                  </td>
                  <td>{texts.open(open, relativeTime(oldestAt, now))}</td>
                  <td className={page.number}>{nonce}</td>
                  <td className={reason ? styles.reason : page.muted}>{reason || texts.nothing}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scrolled>
        {queues.length > maxShown && (
          <p className={page.muted}>{texts.moreQueues(queues.length - maxShown)}</p>
        )}
      </Section>
    </div>
  );
}
