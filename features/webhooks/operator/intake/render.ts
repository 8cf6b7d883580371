import { idOf } from '../../../../core/api/ids.ts';
import { userLabelsIn } from '../../../../core/api/userLabels.ts';
import { createdAtOf, eventIdOf } from '../../../../core/events/eventId.ts';
import type { LoggedEvent } from '../../../../core/events/log/segment.ts';
import { renderEvent } from '../../../../core/events/render.ts';
import { messageOf } from '../../../../core/lib/errors.ts';
import type { QueuedEvent } from '../../core/batches.ts';
import { wants } from '../../core/filter.ts';
import type { Webhook, WebhookDeps } from '../deps.ts';

type Deps = Pick<WebhookDeps, 'eventKey' | 'workspaceOf' | 'caches' | 'log'>;

/** Those of the events that a webhook wants, as they are sent: without any URL that contains an access key. */
export function wantedBy(deps: Deps, { spec }: Webhook, events: readonly LoggedEvent[]): QueuedEvent[] {
  return events
    .filter((event) => isShown(event) && wants(spec, filteredOf(event)))
    .flatMap((event) => {
      try {
        return [queuedOf(deps, event)];
      } catch (error) {
        // Somebody corrupted an object by hand: others do not wait for it.
        deps.log.error('cannot render an event', { type: event.type, error: messageOf(error) });
        return [];
      }
    });
}

/** Changes of the secrets that sign deliveries are not events. */
function isShown({ resource: { metadata } }: LoggedEvent): boolean {
  return !metadata.ownerReferences?.some(({ kind }) => kind === 'Webhook');
}

/** Transactions have no labels. */
function filteredOf({ type, resource, transaction }: LoggedEvent) {
  return { type, labels: transaction ? undefined : userLabelsIn(resource).labels };
}

function queuedOf({ eventKey, workspaceOf, caches }: Deps, event: LoggedEvent): QueuedEvent {
  const { type, resource, transaction, at } = event;
  const networks = {
    byName: (namespace: string, name: string) => caches.networks.get({ namespace, name }),
  };
  const workspaceId = workspaceOf(resource.metadata.namespace);
  return {
    id: eventIdOf(eventKey, event),
    type,
    // Transactions share an object in the cluster, and are objects of their own to users.
    key: transaction?.hash ?? idOf(resource),
    createdAt: createdAtOf(event, at),
    body: renderEvent({ eventKey, networks }, event, { workspaceId, class: 'webhook' }),
  };
}
