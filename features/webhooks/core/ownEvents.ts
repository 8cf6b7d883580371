import type { QueuedEvent } from './batches.ts';

/** Events that are about the webhook itself: every webhook gets them, whatever its filter. */
type OwnEventType = 'webhook.test' | 'webhook.gap';

interface OwnEvent {
  id: string;
  type: OwnEventType;
  /** RFC 3339. */
  createdAt: string;
  workspace: string;
  object: object;
}

/** An event about a webhook in the envelope of all events. It waits for no other one. */
export function queueOwnEvent(event: OwnEvent): QueuedEvent {
  const { id, type, createdAt } = event;
  return { id, type, createdAt, key: id, body: JSON.stringify(event) };
}
