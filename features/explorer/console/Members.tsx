import { Link } from '@tanstack/react-router';
import { stateOf } from '../../../console/src/pages/networks/filter.ts';
import { useLive } from '../../../console/src/session/context.tsx';
import { StateBadge } from '../../../console/src/ui/StateBadge.tsx';
import surface from '../../../console/src/ui/surface.module.css';
import type { Network } from '../../../sdk/src/generated/types.ts';
import styles from './explorer.module.css';
import { texts } from './texts.ts';

/** The explorers of the chains that a LayerZero network connects. */
export function Members({ network }: { network: Network }) {
  const { networks } = useLive();
  const names = new Set(
    (network.spec.chain.layerzero?.networks ?? []).map(({ networkRef }) => networkRef.name),
  );
  const members = [...networks.values()].filter(({ name }) => names.has(name));
  return (
    <>
      <div className={`${styles.head} ${styles.alone}`}>
        <h1>{texts.title}</h1>
      </div>
      <section className={surface.card} aria-label={texts.noChainTitle}>
        <div className={surface.cardBody}>
          <h2>{texts.noChainTitle}</h2>
          <p className={styles.muted}>{texts.noChainText}</p>
          <ul className={styles.members}>
            {members.map((member) => (
              <li key={member.id}>
                <Link to="/networks/$id/explorer" params={{ id: member.id }}>
                  {member.name}
                </Link>
                <StateBadge state={stateOf(member)} />
                <span className={styles.muted}>{member.spec.chain.type}</span>
              </li>
            ))}
          </ul>
        </div>
      </section>
    </>
  );
}
