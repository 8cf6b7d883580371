import type { Network } from '../../../../sdk/src/generated/types.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { StateBadge } from '../../ui/StateBadge.tsx';
import surface from '../../ui/surface.module.css';
import styles from './network.module.css';
import { texts } from './texts.ts';

type Report = NonNullable<NonNullable<Network['status']>['plugins']>[string];

export function Plugins({ network }: { network: Network }) {
  const plugins = Object.entries(network.status?.plugins ?? {});
  if (plugins.length === 0) return null;
  return (
    <section className={surface.card} aria-label={texts.plugins}>
      <div className={surface.cardHead}>
        <h2>{texts.plugins}</h2>
      </div>
      <ul className={styles.plugins}>
        {plugins.map(([name, report]) => (
          <Plugin key={name} name={name} report={report} />
        ))}
      </ul>
    </section>
  );
}

function Plugin({ name, report }: { name: string; report: Report }) {
  const { state, message, addresses = {}, values = {} } = report;
  const facts = Object.entries({ ...addresses, ...values });
  return (
    <li>
      <div className={styles.pluginHead}>
        <h3>{name}</h3>
        <StateBadge state={state} />
      </div>
      {message && <p className={styles.muted}>{message}</p>}
      {facts.length > 0 && (
        <details>
          <summary>{texts.addresses}</summary>
          <ul className={styles.endpoints}>
            {facts.map(([fact, value]) => (
              <li key={fact}>
                <span>{fact}</span>
                <code>{value}</code>
                <CopyButton text={value} label={texts.copyValue(fact)} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}
