import { useBlocker } from '@tanstack/react-router';
import { createContext, useContext, useEffect, useLayoutEffect } from 'react';
import { keep } from '../lib/kept.ts';

/** How the content of a dialog keeps it open; does nothing elsewhere. */
export const KeepOpenContext = createContext<(isKept: boolean) => void>(() => {});

/** Keeps the dialog around it open while something runs: what comes of it would be lost, and may be shown only once. */
export function useKeepOpen(isBusy: boolean): void {
  const keep = useContext(KeepOpenContext);
  // Before anything is painted: who sees that it is busy cannot close it any more.
  useLayoutEffect(() => {
    keep(isBusy);
    return () => keep(false);
  }, [keep, isBusy]);
}

const always = () => true;

/**
 * Keeps the page while something is made or shown that nothing shows again: Back and links do nothing, as Escape does, the
 * browser asks before the tab is closed or loaded again, and whoever signs in or out in another tab is shown afterwards.
 */
export function useKeepPage(isKept: boolean): void {
  useEffect(() => (isKept ? keep() : undefined), [isKept]);
  useBlocker({ shouldBlockFn: always, enableBeforeUnload: true, disabled: !isKept });
}
