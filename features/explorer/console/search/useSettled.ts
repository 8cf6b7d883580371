import { useEffect, useState } from 'react';
import { systemClock } from '../../../../console/src/lib/clock.ts';

const pauseMs = 200;

/** A value that somebody types, once they pause: what is asked for by it is not asked for at each key. */
export function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => systemClock.after(pauseMs, () => setSettled(value)), [value]);
  return settled;
}
