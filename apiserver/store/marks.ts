import { annotations } from '../../core/api/names.ts';
import type { KubeObject, Stored } from '../../core/api/resources/kubeObject.ts';

/** A request that was interrupted is repeated soon, or another one follows it: older marks are forgotten. */
const maxMarks = 20;

/**
 * Whether a change of this request is stored, although its answer was lost: a request with an Idempotency-Key that is
 * repeated after a crash must not act again, because the object may have been changed since.
 */
export function isDone({ metadata }: KubeObject, mark: string | undefined): boolean {
  return mark !== undefined && marksIn(metadata.annotations).includes(mark);
}

/** The object with the mark of the request that changes it; undefined for a request without an Idempotency-Key. */
export function withMark<T extends KubeObject>(object: Stored<T>, mark: string | undefined): Stored<T> {
  if (mark === undefined) return object;
  const { metadata } = object;
  const marks = [...marksIn(metadata.annotations), mark].slice(-maxMarks);
  const own = { ...metadata.annotations, [annotations.requests]: marks.join(',') };
  return { ...object, metadata: { ...metadata, annotations: own } };
}

function marksIn(own: Readonly<Record<string, string>> = {}): string[] {
  return own[annotations.requests]?.split(',') ?? [];
}
