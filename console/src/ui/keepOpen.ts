import { createContext, useContext, useEffect } from 'react';

/** How the content of a dialog keeps it open; does nothing elsewhere. */
export const KeepOpenContext = createContext<(isKept: boolean) => void>(() => {});

/** Keeps the dialog around it open while something runs: what comes of it would be lost, and may be shown only once. */
export function useKeepOpen(isBusy: boolean): void {
  const keep = useContext(KeepOpenContext);
  useEffect(() => {
    keep(isBusy);
    return () => keep(false);
  }, [keep, isBusy]);
}
