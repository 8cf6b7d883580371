import { Link } from '@tanstack/react-router';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { memo, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Deployment, Token } from '../../../../sdk/src/generated/types.ts';
import { NetworkLink } from '../../parts/links.tsx';
import controls from '../../ui/controls.module.css';
import { StateBadge } from '../../ui/StateBadge.tsx';
import { Scrolled } from '../../ui/table/Scrolled.tsx';
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
  const all = useMemo(() => networksOf(tokens), [tokens]);
  const networks = useMemo(() => all.slice(0, maxColumns), [all]);
  const virtual = useWindowVirtualizer({
    count: tokens.length,
    estimateSize: () => rowHeight,
    overscan: 6,
    scrollMargin: top,
  });
  const label = texts.matrixLabel;
  return (
    <>
      <Scrolled label={label}>
        <div className={styles.matrix} role="table" aria-label={label} aria-rowcount={tokens.length + 1}>
          <Head networks={networks} />
          <div ref={body} className={styles.body} role="rowgroup" style={{ height: virtual.getTotalSize() }}>
            {virtual.getVirtualItems().map(({ index, start }) => {
              const token = tokens[index];
              if (!token) return null;
              return (
                <Row key={token.id} token={token} networks={networks} index={index} offset={start - top} />
              );
            })}
          </div>
        </div>
      </Scrolled>
      {all.length > maxColumns && (
        <p className={styles.note}>{texts.moreNetworks(all.length - maxColumns)}</p>
      )}
    </>
  );
}

const columnsOf = (networks: readonly string[]) => ({
  gridTemplateColumns: `220px repeat(${networks.length}, minmax(140px, 1fr))`,
});

const Head = memo(function Head({ networks }: { networks: readonly string[] }) {
  const className = `${styles.cells} ${styles.head}`;
  return (
    <div role="rowgroup">
      <div className={className} role="row" aria-rowindex={1} style={columnsOf(networks)}>
        <span role="columnheader">{texts.columns.token}</span>
        {networks.map((id) => (
          <span key={id} role="columnheader">
            <NetworkLink id={id} />
          </span>
        ))}
      </div>
    </div>
  );
});

interface RowProps {
  token: Token;
  networks: readonly string[];
  index: number;
  offset: number;
}

/** Scrolling renders only the rows that come into the window. */
const Row = memo(function Row({ token, networks, index, offset }: RowProps) {
  const { id, symbol, name, type, deployments = [] } = token;
  const byNetwork = new Map(deployments.map((one) => [one.network_id, one]));
  const style = { ...columnsOf(networks), transform: `translateY(${offset}px)` };
  return (
    <div className={`${styles.cells} ${styles.placed}`} role="row" aria-rowindex={index + 2} style={style}>
      <span role="rowheader" className={styles.token}>
        <Link to="/tokens/$id" params={{ id }} preload={false} title={name}>
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
});

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
