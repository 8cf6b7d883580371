import { useEffect, useState } from 'react';
import { systemClock } from '../../../console/src/lib/clock.ts';
import { useInside } from '../../../console/src/session/context.tsx';
import type { ChainHead } from '../../../sdk/src/generated/types.ts';

/** A browser has few connections to one host: a tab that nobody sees gives this one back. */
const hiddenMs = 10_000;

/** The newest block of a network that runs, while somebody sees the tab. */
export function useHead(networkId: string, enclaveID: string): ChainHead | undefined {
  const { client, signal } = useInside();
  const [head, setHead] = useState<ChainHead>();
  const isSeen = useSeen();
  useEffect(() => {
    if (!isSeen) return;
    const own = new AbortController();
    const follow = async () => {
      const options = { signal: AbortSignal.any([signal, own.signal]) };
      for await (const next of client.networks.followBlocks(networkId, options)) {
        if (next.enclaveID === enclaveID) setHead(next);
      }
    };
    // Reads say what is wrong; without the stream, the page stays as it is.
    follow().catch(() => {});
    return () => own.abort();
  }, [client, signal, networkId, enclaveID, isSeen]);
  return head;
}

/** Whether somebody sees the tab, or did a moment ago. */
function useSeen(): boolean {
  const [isSeen, setSeen] = useState(document.visibilityState === 'visible');
  useEffect(() => {
    let cancel = () => {};
    const changed = () => {
      cancel();
      if (document.visibilityState === 'visible') return setSeen(true);
      cancel = systemClock.after(hiddenMs, () => setSeen(false));
    };
    document.addEventListener('visibilitychange', changed);
    return () => {
      cancel();
      document.removeEventListener('visibilitychange', changed);
    };
  }, []);
  return isSeen;
}
