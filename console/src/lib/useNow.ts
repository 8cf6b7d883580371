import { useEffect, useState } from 'react';
import { systemClock } from './clock.ts';

/** The time, renewed every `intervalMs` while the component is shown. */
export function useNow(intervalMs: number): number {
  const [now, setNow] = useState(systemClock.nowMs);
  useEffect(() => {
    let cancel = () => {};
    const tick = () => {
      setNow(systemClock.nowMs());
      cancel = systemClock.after(intervalMs, tick);
    };
    cancel = systemClock.after(intervalMs, tick);
    return () => cancel();
  }, [intervalMs]);
  return now;
}
