import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Network } from '../../../../../sdk/src/generated/types.ts';
import { useMay } from '../../../session/context.tsx';
import { Banner, Failure } from '../../../ui/Banner.tsx';
import { Button } from '../../../ui/Button.tsx';
import { CheckField, SelectField, TextField } from '../../../ui/Field.tsx';
import { stateOf } from '../../networks/filter.ts';
import { logServices } from '../endpoints.ts';
import styles from '../network.module.css';
import { texts } from '../texts.ts';
import type { LogLine } from './logLines.ts';
import { useLogs } from './useLogs.ts';

export function Logs({ network }: { network: Network }) {
  const mayRead = useMay('logs:read');
  if (!mayRead) return <Banner look="plain" icon="key" title={texts.logsForbidden} />;
  if (stateOf(network) === 'Stopped') return <Banner look="plain" icon="sleep" title={texts.logsStopped} />;
  return <LogView network={network} />;
}

function LogView({ network }: { network: Network }) {
  const services = logServices(network);
  const [chosen, setChosen] = useState('');
  // A network that starts has none yet.
  const service = services.includes(chosen) ? chosen : (services[0] ?? '');
  const [part, setPart] = useState('');
  const [isFollowing, setFollowing] = useState(true);
  const [attempt, setAttempt] = useState(0);
  const { lines, revision, phase, error } = useLogs(network.id, service, attempt);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the lines are kept in place, their revision tells of changes.
  const shown = useMemo(() => lines.matching(part), [lines, revision, part]);
  return (
    <div className={styles.logs}>
      <div className={styles.logTools}>
        {services.length > 0 && (
          <SelectField
            label={texts.service}
            value={service}
            options={services.map((value) => ({ value, label: value }))}
            onChange={setChosen}
          />
        )}
        <TextField label={texts.logFilter} type="search" value={part} onChange={setPart} />
        <CheckField label={texts.follow} isChecked={isFollowing} onChange={setFollowing} />
        <span className={styles.muted}>{texts.lines(shown.length)}</span>
      </div>
      {phase !== 'reading' && (
        <div className={styles.logEnd}>
          {phase === 'ended' ? (
            <Banner look="plain" icon="clock" title={texts.logsEnded} />
          ) : (
            <Failure error={error} />
          )}
          <Button icon="refresh" onClick={() => setAttempt(attempt + 1)}>
            {texts.logsAgain}
          </Button>
        </div>
      )}
      <Lines lines={shown} isFollowing={isFollowing} emptyText={part ? texts.logsEmpty : texts.logsLoading} />
    </div>
  );
}

interface LinesProps {
  lines: readonly LogLine[];
  isFollowing: boolean;
  emptyText: string;
}

function Lines({ lines, isFollowing, emptyText }: LinesProps) {
  const box = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => box.current,
    estimateSize: () => 18,
    overscan: 20,
    getItemKey: (index) => lines[index]?.key ?? index,
  });
  const last = lines.at(-1)?.key;
  // biome-ignore lint/correctness/useExhaustiveDependencies: it follows each new line.
  useEffect(() => {
    if (isFollowing && lines.length > 0) rows.scrollToIndex(lines.length - 1);
  }, [isFollowing, last]);
  return (
    <div
      ref={box}
      className={styles.logBox}
      role="log"
      aria-live="off"
      aria-label={texts.logsLabel}
      tabIndex={0}
    >
      {lines.length === 0 && <p className={styles.muted}>{emptyText}</p>}
      <div className={styles.logBody} style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ key, index, start }) => (
          <div
            key={key}
            ref={rows.measureElement}
            data-index={index}
            className={styles.logLine}
            style={{ transform: `translateY(${start}px)` }}
          >
            {lines[index]?.text}
          </div>
        ))}
      </div>
    </div>
  );
}
