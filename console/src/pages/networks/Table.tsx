import { Link } from '@tanstack/react-router';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { memo, useLayoutEffect, useRef, useState } from 'react';
import type { Network } from '../../../../sdk/src/generated/types.ts';
import { absoluteTime, relativeTime } from '../../lib/time.ts';
import { useNow } from '../../lib/useNow.ts';
import { StateBadge } from '../../ui/StateBadge.tsx';
import { stateOf } from './filter.ts';
import styles from './networks.module.css';
import { texts } from './texts.ts';

const { columns } = texts;
const rowHeight = 49;

/** Only the rows in the window are there, of however many. */
export function Table({ networks }: { networks: readonly Network[] }) {
  const body = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => setTop(body.current?.offsetTop ?? 0), []);
  const rows = useWindowVirtualizer({
    count: networks.length,
    estimateSize: () => rowHeight,
    overscan: 12,
    scrollMargin: top,
    getItemKey: (index) => networks[index]?.id ?? index,
  });
  const now = useNow(30_000);
  return (
    <div className={styles.table} role="table" aria-label={texts.title} aria-rowcount={networks.length + 1}>
      <div role="rowgroup">
        <div className={`${styles.row} ${styles.head}`} role="row">
          {Object.entries(columns).map(([name, label]) => (
            <span key={name} role="columnheader" className={styles[name]}>
              {label}
            </span>
          ))}
        </div>
      </div>
      <div ref={body} className={styles.body} role="rowgroup" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ key, index, start }) => {
          const network = networks[index];
          if (!network) return null;
          return <Row key={key} network={network} index={index} offset={start - top} nowMs={now} />;
        })}
      </div>
    </div>
  );
}

interface RowProps {
  network: Network;
  index: number;
  offset: number;
  nowMs: number;
}

const Row = memo(function Row({ network, index, offset, nowMs }: RowProps) {
  const { id, name, metadata, spec, status } = network;
  return (
    <div
      className={`${styles.row} ${styles.placed}`}
      role="row"
      aria-rowindex={index + 2}
      style={{ transform: `translateY(${offset}px)` }}
    >
      <span role="cell" className={styles.name}>
        <Link to="/networks/$id" params={{ id }} preload={false}>
          {name}
        </Link>
      </span>
      <span role="cell" className={styles.state}>
        <StateBadge state={stateOf(network)} />
        <Step network={network} />
      </span>
      <span role="cell" className={styles.type}>
        {spec.chain.type}
      </span>
      <span role="cell" className={styles.chainId}>
        {status?.chainID ?? ''}
      </span>
      <span role="cell" className={styles.created} title={absoluteTime(metadata.createdAt)}>
        {relativeTime(metadata.createdAt, nowMs)}
      </span>
    </div>
  );
});

/** How far the start of a network is. */
function Step({ network }: { network: Network }) {
  const { currentStep, totalSteps } = network.status?.execution ?? {};
  if (stateOf(network) !== 'Pending' || !totalSteps) return null;
  return <small className={styles.step}>{texts.step(currentStep ?? 0, totalSteps)}</small>;
}
