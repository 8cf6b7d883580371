import type { ReactNode } from 'react';
import type { Network } from '../../../../sdk/src/generated/types.ts';
import { absoluteTime, dueTime, relativeTime, remaining } from '../../lib/time.ts';
import { useNow } from '../../lib/useNow.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import surface from '../../ui/surface.module.css';
import { useChainTypes } from '../networks/useChainTypes.ts';
import { idleOf } from './idle.ts';
import styles from './network.module.css';
import { texts } from './texts.ts';

export function Facts({ network }: { network: Network }) {
  const { id, metadata, spec, status } = network;
  const now = useNow(1_000);
  const labels = Object.entries(metadata.labels ?? {});
  const rows: [string, ReactNode][] = [
    [texts.chain, spec.chain.type],
    [texts.chainId, status?.chainID],
    [texts.idle, <IdleText key="idle" network={network} nowMs={now} />],
    [texts.expires, status?.expiresAt && dueTime(status.expiresAt, now)],
    [texts.data, status?.storage && (status.storage === 'Volume' ? texts.dataVolume : texts.dataPod)],
    [texts.fork, status?.fork?.block],
    [texts.begunFrom, status?.from?.snapshot],
    [texts.created, `${absoluteTime(metadata.createdAt)} (${relativeTime(metadata.createdAt, now)})`],
    [texts.labels, labels.map(([name, value]) => `${name}=${value}`).join(', ')],
    [
      texts.id,
      <span key="id" className={styles.copied}>
        <code>{id}</code>
        <CopyButton text={id} label={texts.copyValue(texts.id)} />
      </span>,
    ],
  ];
  return (
    <section className={surface.card} aria-label={texts.facts}>
      <div className={surface.cardHead}>
        <h2>{texts.facts}</h2>
      </div>
      <dl className={styles.facts}>
        {rows
          .filter(([, value]) => value)
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
    </section>
  );
}

function IdleText({ network, nowMs }: { network: Network; nowMs: number }) {
  const seconds = useChainTypes()?.idleAfterSeconds;
  const idle = idleOf(network, nowMs, seconds && seconds * 1000);
  if (idle === 'never') return texts.neverStops;
  if (idle === 'unknown' || idle === 'notRunning') return network.spec.idleAfter ?? texts.idleDefault;
  if (idle.inMs === 0) return texts.idleDue;
  return network.spec.idleAfter === undefined
    ? texts.stopsIn(remaining(idle.inMs))
    : texts.idleIn(remaining(idle.inMs));
}
