import { useEffect, useState } from 'react';
import { systemClock } from '../../../lib/clock.ts';
import { useInside } from '../../../session/context.tsx';
import { createLogLines, type LogLines } from './logLines.ts';

const maxLines = 5_000;
const showAfterMs = 100;

export interface LogView {
  lines: LogLines;
  /** Increases with each change of the lines. */
  revision: number;
  phase: 'reading' | 'ended' | 'failed';
  error?: unknown;
}

/** Follows the log of one part of a network while it is shown. `attempt` begins again. */
export function useLogs(id: string, service: string, attempt: number): LogView {
  const { client, signal } = useInside();
  const [view, setView] = useState<LogView>(() => ({
    lines: createLogLines(maxLines),
    revision: 0,
    phase: 'reading',
  }));
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt reads again.
  useEffect(() => {
    const own = new AbortController();
    const lines = createLogLines(maxLines);
    let waiting: string[] = [];
    let cancel: (() => void) | undefined;
    const show = (end: Partial<LogView> = {}) => {
      cancel?.();
      cancel = undefined;
      lines.add(waiting);
      waiting = [];
      setView((now) => ({ lines, phase: 'reading', ...end, revision: now.revision + 1 }));
    };
    show();
    const read = async () => {
      const options = { service: service || undefined, signal: AbortSignal.any([signal, own.signal]) };
      for await (const line of client.networks.followLogs(id, options)) {
        waiting.push(line);
        cancel ??= systemClock.after(showAfterMs, show);
      }
    };
    read().then(
      () => show({ phase: 'ended' }),
      (error) => own.signal.aborted || signal.aborted || show({ phase: 'failed', error }),
    );
    return () => {
      own.abort();
      cancel?.();
    };
  }, [client, signal, id, service, attempt]);
  return view;
}
