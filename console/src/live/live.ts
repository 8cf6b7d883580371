import type { Network, Snapshot } from '../../../sdk/src/generated/types.ts';
import type { StreamedEvent } from '../../../sdk/src/streams/events.ts';

/** Something that happened to a network while this tab was open. */
interface Activity {
  id: string;
  type: string;
  at: string;
  state: string;
  message: string;
}

/** What the event stream says about the workspace. */
export interface LiveView {
  /** Increases with each change of what is below, which is changed in place: there may be thousands. */
  revision: number;
  networks: ReadonlyMap<string, Network>;
  snapshots: ReadonlyMap<string, Snapshot>;
  /** The newest first. */
  activity: ReadonlyMap<string, readonly Activity[]>;
  /** Whether everything that exists is known. */
  isComplete: boolean;
  connection: 'connecting' | 'live' | 'interrupted';
  /** Why there is no stream, and will be none. */
  error?: unknown;
}

export interface Live {
  view(): LiveView;
  apply(event: StreamedEvent): void;
  /** Takes what a request answered, unless the stream already told something newer. */
  observe(network: Network): void;
  setConnection(connection: LiveView['connection'], error?: unknown): void;
}

type Kept = Network | Snapshot;
const maxActivity = 100;

/** One kind of objects. While everything is sent again, what was not seen by its end is gone. */
function createObjects<T extends Kept>() {
  const byId = new Map<string, T>();
  const deleted = new Set<string>();
  let seen = new Set<string>();
  return {
    byId,
    begin() {
      seen = new Set();
    },
    end() {
      for (const id of byId.keys()) if (!seen.has(id)) byId.delete(id);
    },
    /** What an event of this type says of an object. */
    take(object: T, type: string) {
      if (type.endsWith('.deleted')) {
        byId.delete(object.id);
        deleted.add(object.id);
        return;
      }
      seen.add(object.id);
      deleted.delete(object.id);
      // Of the spec, what a request answered meanwhile may be newer.
      if (revisionOf(byId.get(object.id)) <= revisionOf(object)) byId.set(object.id, object);
    },
    /** What a request answered has no place among events: only a newer spec says that it is later. */
    observe(object: T) {
      const known = byId.get(object.id);
      const isNews = known ? revisionOf(known) < revisionOf(object) : !deleted.has(object.id);
      if (!isNews) return false;
      seen.add(object.id);
      byId.set(object.id, object);
      return true;
    },
  };
}

const revisionOf = (object: Kept | undefined) => object?.metadata.rev ?? 0;

/** What happened to each network, the newest first. */
function createActivity() {
  const byNetwork = new Map<string, readonly Activity[]>();
  return {
    byNetwork,
    note({ id, type, createdAt, object }: StreamedEvent): void {
      const { id: networkId, status } = networkIn(object);
      const known = byNetwork.get(networkId) ?? [];
      if (type.endsWith('.present') || known.some((one) => one.id === id)) return;
      const { state = 'Pending', message = '' } = status ?? {};
      byNetwork.set(networkId, [{ id, type, at: createdAt, state, message }, ...known].slice(0, maxActivity));
    },
  };
}

/** Keeps what the events of a workspace say, in the order in which they come. */
export function createLive(): Live {
  const networks = createObjects<Network>();
  const snapshots = createObjects<Snapshot>();
  const activity = createActivity();
  let view: LiveView = {
    ...{ revision: 0, networks: networks.byId, snapshots: snapshots.byId, activity: activity.byNetwork },
    ...{ isComplete: false, connection: 'connecting' },
  };
  const change = (parts: Partial<LiveView> = {}) => {
    view = { ...view, ...parts, revision: view.revision + 1 };
  };
  const keep: Record<string, (event: StreamedEvent) => void> = {
    network(event) {
      networks.take(networkIn(event.object), event.type);
      activity.note(event);
      change();
    },
    snapshot(event) {
      snapshots.take(snapshotIn(event.object), event.type);
      change();
    },
    stream({ type }) {
      const isReset = type === 'stream.reset';
      for (const objects of [networks, snapshots]) {
        if (isReset) objects.begin();
        else objects.end();
      }
      if (!isReset) change({ isComplete: true, connection: 'live' });
    },
  };
  return {
    view: () => view,
    apply: (event) => keep[event.type.replace(/\..*/, '')]?.(event),
    observe(network) {
      if (networks.observe(network)) change();
    },
    setConnection(connection, error) {
      if (view.connection !== connection || view.error !== error) change({ connection, error });
    },
  };
}

/** The contract says what the objects of the events of each kind are. */
const networkIn = (object: unknown) => object as Network;
const snapshotIn = (object: unknown) => object as Snapshot;
