import { Link } from '@tanstack/react-router';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, useState } from 'react';
import type { Deployment, Token } from '../../../../sdk/src/generated/types.ts';
import { NetworkLink } from '../../parts/links.tsx';
import controls from '../../ui/controls.module.css';
import page from '../../ui/page.module.css';
import { StateBadge } from '../../ui/StateBadge.tsx';
import { networksOf, stateOf } from './matrix.ts';
import { texts } from './texts.ts';
import styles from './tokens.module.css';

const rowHeight = 49;
const maxColumns = 40;

/** Tokens by network. Only the rows in the window are there. */
export function Matrix({ tokens }: { tokens: readonly Token[] }) {
  const body = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => setTop(body.current?.offsetTop ?? 0), []);
  const all = networksOf(tokens);
  const networks = all.slice(0, maxColumns);
  const virtual = useWindowVirtualizer({
    count: tokens.length,
    estimateSize: () => rowHeight,
    overscan: 12,
    scrollMargin: top,
  });
  const style = { gridTemplateColumns: `220px repeat(${networks.length}, minmax(140px, 1fr))` };
  return (
    <>
      <section className={page.scroll} aria-label={texts.matrixLabel} tabIndex={0}>
        <div
          className={styles.matrix}
          role="table"
          aria-label={texts.matrixLabel}
          aria-rowcount={tokens.length + 1}
        >
          <div role="rowgroup">
            <div className={`${styles.cells} ${styles.head}`} role="row" style={style}>
              <span role="columnheader">{texts.columns.token}</span>
              {networks.map((id) => (
                <span key={id} role="columnheader">
                  <NetworkLink id={id} />
                </span>
              ))}
            </div>
          </div>
          <div ref={body} className={styles.body} role="rowgroup" style={{ height: virtual.getTotalSize() }}>
            {virtual.getVirtualItems().map(({ index, start }) => {
              const token = tokens[index];
              if (!token) return null;
              const transform = `translateY(${start - top}px)`;
              return <Row key={token.id} {...{ token, networks, index, style: { ...style, transform } }} />;
            })}
          </div>
        </div>
      </section>
      {all.length > maxColumns && (
        <p className={styles.note}>{texts.moreNetworks(all.length - maxColumns)}</p>
      )}
    </>
  );
}

interface RowProps {
  token: Token;
  networks: readonly string[];
  index: number;
  style: { gridTemplateColumns: string; transform: string };
}

function Row({ token, networks, index, style }: RowProps) {
  const { id, symbol, name, type, deployments = [] } = token;
  const byNetwork = new Map(deployments.map((one) => [one.network_id, one]));
  return (
    <div className={`${styles.cells} ${styles.placed}`} role="row" aria-rowindex={index + 2} style={style}>
      <span role="rowheader" className={styles.token}>
        <Link to="/tokens/$id" params={{ id }} title={name}>
          {symbol}
        </Link>
        <small>{type}</small>
      </span>
      {networks.map((network) => (
        <span key={network} role="cell">
          <Cell deployment={byNetwork.get(network)} />
        </span>
      ))}
    </div>
  );
}

function Cell({ deployment }: { deployment: Deployment | undefined }) {
  if (!deployment) {
    return (
      <>
        <span aria-hidden="true">–</span>
        <span className={controls.visuallyHidden}>{texts.notThere}</span>
      </>
    );
  }
  return (
    <span title={deployment.message || deployment.token_address}>
      <StateBadge state={stateOf(deployment)} />
    </span>
  );
}
