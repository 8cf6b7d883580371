import { createContext, useContext } from 'react';
import type { Store } from '../lib/store.ts';
import { useStore } from '../lib/useStore.ts';
import type { Following } from '../live/follow.ts';
import type { LiveView } from '../live/live.ts';
import type { SignedIn } from './session.ts';

export interface Inside extends SignedIn, Pick<Following, 'observe'> {
  live: Store<LiveView>;
}

export const InsideContext = createContext<Inside | undefined>(undefined);

/** What every page behind the sign-in has. */
export function useInside(): Inside {
  const inside = useContext(InsideContext);
  if (!inside) throw new Error('this page is behind the sign-in');
  return inside;
}

export function useLive(): LiveView {
  return useStore(useInside().live);
}

/** Whether the user may do what needs `permission` in this workspace. */
export function useMay(permission: string): boolean {
  return useInside().me.permissions.includes(permission);
}
