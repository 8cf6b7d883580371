import { z } from 'zod';
import { compact } from '../lib/compact.ts';
import { apiGroup } from './names.ts';

/** How a field of the selector names a label: `metadata.labels.team`. */
const fieldPrefix = 'metadata.labels.';
/** The selectable field of lists whose objects have labels. */
export const selectableLabels = `${fieldPrefix}<key>`;

const maxLabels = 64;
/** A label key of Kubernetes that does not belong to Slipway: a name, behind a domain and a slash or not. */
const keyPattern =
  /^(?!(?:[^/]*\.)?slipway\.dev\/)(?:(?=[^/]{1,253}\/)[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*\/)?[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const valuePattern = /^(?:[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/;

const isUserKey = (key: string): boolean => keyPattern.test(key);

/** Labels that users give to objects: stored as labels of Kubernetes, next to those of Slipway, which they cannot set. */
export const userLabelsSchema = z
  .record(
    z.string(),
    z.string().max(63).regex(valuePattern, 'use up to 63 letters, digits, "-", "_" and "."'),
  )
  .superRefine((given, context) => {
    const keys = Object.keys(given);
    if (keys.length > maxLabels) {
      context.addIssue({
        code: 'custom',
        message: `too many labels: set at most ${maxLabels}`,
        input: given,
      });
    }
    for (const key of keys.slice(0, maxLabels).filter((one) => !isUserKey(one))) {
      const message = `is not a label key: use "team" or "example.com/team"; ${apiGroup}/ is reserved`;
      context.addIssue({ code: 'custom', path: [key.slice(0, 100)], message, input: given });
    }
  })
  .meta({ propertyNames: { pattern: keyPattern.source } })
  .describe('Labels, as in Kubernetes: keys and values of your choice.');
export type UserLabels = z.infer<typeof userLabelsSchema>;

interface Labelled {
  metadata: { labels?: Record<string, string> };
}

/** The member `labels` with the labels that users gave to an object; empty if there are none. */
export function userLabelsIn({ metadata: { labels = {} } }: Labelled): { labels?: UserLabels } {
  const own = Object.entries(labels).filter(([key]) => isUserKey(key));
  return compact({ labels: own.length === 0 ? undefined : Object.fromEntries(own) });
}

/** The member `metadata` of an object that has no further ones in the contract; empty without labels. */
export function labelMetaOf(object: Labelled): { metadata?: { labels: UserLabels } } {
  const { labels } = userLabelsIn(object);
  return compact({ metadata: labels && { labels } });
}

/** The labels of an object after users replaced theirs; those of Slipway stay. */
export function withUserLabels({ metadata: { labels = {} } }: Labelled, next: UserLabels): UserLabels {
  const kept = Object.entries(labels).filter(([key]) => !isUserKey(key));
  return { ...next, ...Object.fromEntries(kept) };
}

/** Whether a selector may name `field` because it is a label. */
export function isLabelField(field: string, selectable: readonly string[]): boolean {
  const isLabel = field.startsWith(fieldPrefix) && isUserKey(field.slice(fieldPrefix.length));
  return isLabel && selectable.includes(selectableLabels);
}

/** The value of a label that a selector names; undefined if the field is not a label, or the object does not have it. */
export function readLabel({ metadata: { labels = {} } }: Labelled, field: string): string | undefined {
  if (!field.startsWith(fieldPrefix)) return undefined;
  const key = field.slice(fieldPrefix.length);
  return isUserKey(key) && Object.hasOwn(labels, key) ? labels[key] : undefined;
}
