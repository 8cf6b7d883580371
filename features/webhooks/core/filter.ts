import { matchesType } from '../../../core/api/events/eventTypes.ts';
import type { WebhookSpec } from '../api/webhook.ts';

/** Whether a webhook wants an event of a type, about an object with these labels. */
export function wants(
  { types = ['*'], selector }: WebhookSpec,
  { type, labels = {} }: { type: string; labels: Record<string, string> | undefined },
): boolean {
  const isOfType = types.some((pattern) => matchesType(pattern, type));
  return (
    isOfType && Object.entries(selector?.matchLabels ?? {}).every(([key, value]) => labels[key] === value)
  );
}
