import { matchesType } from '../../../core/api/events/eventTypes.ts';
import type { WebhookSpec } from '../api/webhook.ts';

/** What of an event decides who gets it. */
export interface Filtered {
  type: string;
  /** Labels of the object that it is about. */
  labels: Record<string, string> | undefined;
}

/** Whether a webhook wants an event. */
export function wants({ types = ['*'], selector }: WebhookSpec, { type, labels = {} }: Filtered): boolean {
  const isOfType = types.some((pattern) => matchesType(pattern, type));
  return (
    isOfType && Object.entries(selector?.matchLabels ?? {}).every(([key, value]) => labels[key] === value)
  );
}
