import type { EventObjects } from '../../../sdk/src/generated/types.ts';
import type { StreamedEvent } from '../../../sdk/src/streams/events.ts';
import { type Activity, createActivity } from './activity.ts';
import { forKinds, isKindName, type KindName, kindNames, kinds } from './kinds.ts';
import { createObjects, type KindView, type Objects } from './objects.ts';

/** How the event stream is. */
export interface StreamView {
  /** Whether everything that exists is known. */
  isComplete: boolean;
  /** `ended`: nothing but the user connects again. */
  connection: 'connecting' | 'live' | 'interrupted' | 'ended';
  /** Why it is interrupted, or has ended. */
  error?: unknown;
}

/** The views of all kinds. */
type KindViews = { readonly [Name in KindName]: KindView<EventObjects[Name]> };

/** An object that a request answered, with the kind it says that it has. */
export type Answered = Pick<EventObjects[KindName], 'kind'>;

export interface Live {
  stream(): StreamView;
  views(): KindViews;
  /** What happened to each network, the newest first. */
  activity: ReadonlyMap<string, readonly Activity[]>;
  apply(event: StreamedEvent): void;
  /** Takes what a request answered, unless the stream already told something newer. */
  observe(object: Answered): void;
  setConnection(connection: StreamView['connection'], error?: unknown): void;
}

type AllObjects = { readonly [Name in KindName]: Objects<EventObjects[Name]> };

/** Keeps what the events of a workspace say, in the order in which they come. */
export function createLive(): Live {
  const all = forKinds<AllObjects>(createObjects);
  const activity = createActivity();
  let stream: StreamView = { isComplete: false, connection: 'connecting' };

  function applyStream(type: string): void {
    const isReset = type === 'stream.reset';
    for (const name of kindNames) {
      if (isReset) all[name].begin();
      else all[name].end();
    }
    if (!isReset) stream = { isComplete: true, connection: 'live' };
  }

  function take<Name extends KindName>(name: Name, event: StreamedEvent): void {
    all[name].take(objectIn<Name>(event.object), event.type);
    if (name === 'network') activity.note(event, objectIn<'network'>(event.object));
  }

  function observe<Name extends KindName>(name: Name, object: unknown): void {
    all[name].observe(objectIn<Name>(object));
  }

  return {
    stream: () => stream,
    views: () => forKinds<KindViews>((name) => all[name].view()),
    activity: activity.byNetwork,
    apply(event) {
      const name = event.type.replace(/\..*/, '');
      if (name === 'stream') return applyStream(event.type);
      // A later version of the service may send other kinds.
      if (isKindName(name)) take(name, event);
    },
    observe(object) {
      const name = kindNames.find((one) => kinds[one].object === object.kind);
      if (name) observe(name, object);
    },
    setConnection(connection, error) {
      if (stream.connection !== connection || stream.error !== error) {
        stream = { ...stream, connection, error };
      }
    },
  };
}

/** The contract says what the objects of each kind are. */
function objectIn<Name extends KindName>(object: unknown): EventObjects[Name] {
  return object as EventObjects[Name];
}
