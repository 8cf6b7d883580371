import { useEffect, useState } from 'react';
import { systemClock } from '../../../console/src/lib/clock.ts';

/** As long as logs are followed: requests of a forgotten tab would keep its session. */
const longestMs = 900_000;

/** Whether to refresh: ends by itself after a quarter of an hour. */
export function useLive(): [boolean, (isLive: boolean) => void] {
  const [isLive, setLive] = useState(true);
  useEffect(() => (isLive ? systemClock.after(longestMs, () => setLive(false)) : undefined), [isLive]);
  return [isLive, setLive];
}
