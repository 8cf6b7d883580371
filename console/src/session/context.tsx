import { createContext, useContext } from 'react';
import type { EventObjects } from '../../../sdk/src/generated/types.ts';
import { useStore } from '../lib/useStore.ts';
import type { Activity } from '../live/activity.ts';
import type { Following } from '../live/follow.ts';
import type { KindName } from '../live/kinds.ts';
import type { StreamView } from '../live/live.ts';
import type { KindView } from '../live/objects.ts';
import type { SignedIn } from './session.ts';

export interface Inside extends SignedIn, Pick<Following, 'observe'> {
  following: Following;
}

export const InsideContext = createContext<Inside | undefined>(undefined);

/** What every page behind the sign-in has. */
export function useInside(): Inside {
  const inside = useContext(InsideContext);
  if (!inside) throw new Error('this page is behind the sign-in');
  return inside;
}

/** How the event stream is. */
export function useStream(): StreamView {
  return useStore(useInside().following.stream);
}

/** The objects of one kind, live. */
export function useKind<Name extends KindName>(name: Name): KindView<EventObjects[Name]> {
  return useStore<KindView<EventObjects[Name]>>(useInside().following.kinds[name]);
}

export interface LiveView extends StreamView {
  /** Increases with each change of what is below, which is changed in place. */
  revision: number;
  networks: ReadonlyMap<string, EventObjects['network']>;
  snapshots: ReadonlyMap<string, EventObjects['snapshot']>;
  /** The newest first. */
  activity: ReadonlyMap<string, readonly Activity[]>;
}

/** What the pages of networks show. */
export function useLive(): LiveView {
  const stream = useStream();
  const networks = useKind('network');
  const snapshots = useKind('snapshot');
  const { activity } = useInside().following;
  const revision = networks.revision + snapshots.revision;
  return { ...stream, revision, networks: networks.objects, snapshots: snapshots.objects, activity };
}

/** Whether the user may do what needs `permission` in this workspace. */
export function useMay(permission: string): boolean {
  return useInside().me.permissions.includes(permission);
}
