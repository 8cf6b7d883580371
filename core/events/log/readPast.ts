import { type HistoryItem, readHistory } from '../../kube/cache/history.ts';
import type { Kube, ResourceType, Stored } from '../../kube/kube.ts';
import type { Clock } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import type { EventResource } from '../objectEvent.ts';
import { trimForEvents } from '../trimOutbox.ts';
import { pageSizeOf } from '../watchedTypes.ts';

/** The past of one kind in all namespaces, from a revision on; see `readHistory`. Throws when it ends by itself. */
export type ReadPast = (
  resourceVersion: string,
  signal: AbortSignal,
) => AsyncIterable<HistoryItem<EventResource>>;

/** The server sends a bookmark about every minute: a watch that is silent for longer is dead. */
const idleMs = 150_000;

/** Reads the past of a kind from kube-apiserver. */
export function createReadPast(
  { kube, clock }: { kube: Pick<Kube, 'list' | 'watch'>; clock: Clock },
  type: ResourceType<EventResource>,
): ReadPast {
  return async function* (resourceVersion, signal) {
    const idle = new AbortController();
    const arm = () => clock.after(idleMs, () => idle.abort(), 'background');
    const either = AbortSignal.any([signal, idle.signal]);
    const past = {
      kube,
      type,
      trim: keptForEvents,
      pageSize: pageSizeOf(type),
      resourceVersion,
      signal: either,
    };
    let disarm = arm();
    try {
      for await (const item of readHistory(past)) {
        disarm();
        yield item;
        disarm = arm();
      }
    } finally {
      disarm();
    }
    // An apiserver that ends has not said everything.
    throw new AppError('Unavailable', 'the watch has ended');
  };
}

/** What is kept of an object between its changes. */
export function keptForEvents(object: Stored<EventResource>): Stored<EventResource> {
  return object.kind === 'Outbox' ? trimForEvents(object) : object;
}
