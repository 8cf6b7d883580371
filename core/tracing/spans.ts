import { AsyncLocalStorage } from 'node:async_hooks';
import { isAppError } from '../lib/errors.ts';
import type { LogFields } from '../lib/log.ts';
import type { SpanAttributes, SpanName } from './attributes.ts';
import { flagsOf, type TraceContext } from './traceparent.ts';

/** A span as its own work sees it. */
export interface Span {
  set(attributes: SpanAttributes): void;
  /** Marks the work as failed; `type` is the reason of an AppError, or the name of a class. */
  fail(type: string): void;
}

export interface SpanStart {
  name: SpanName;
  kind: 'server' | 'client' | 'internal';
  attributes?: SpanAttributes;
}

/** A span as a recorder keeps it. */
export interface RecordedSpan extends Span {
  readonly context: TraceContext;
  end(): void;
}

/** Where spans begin: one for each process. */
export interface SpanSource {
  begin(start: SpanStart, parent: TraceContext | undefined): RecordedSpan;
  /** The text that binds an object to the span that writes it. */
  stampOf(object: StampedObject, context: TraceContext): string;
}

/** What a stamp is bound to. */
export interface StampedObject {
  kind: string;
  metadata: { name: string; namespace?: string; annotations?: Record<string, string> };
}

interface Active {
  source: SpanSource;
  span: RecordedSpan;
  outer: Active | undefined;
  isOver: boolean;
}

/** Its work is not traced. */
export const noSpan: Span = { set: () => undefined, fail: () => undefined };

const storage = new AsyncLocalStorage<Active>();

/**
 * The innermost span that is not over. What a request has started and left running, such as a loop, is not part of it once it is
 * answered.
 */
export function activeSpan(): Pick<Active, 'source' | 'span'> | undefined {
  let active = storage.getStore();
  while (active?.isOver) active = active.outer;
  return active;
}

/** Runs `work` in a span that ends with it. */
export async function withinSpan<T>(
  source: SpanSource,
  span: RecordedSpan,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const active: Active = { source, span, outer: storage.getStore(), isOver: false };
  try {
    return await storage.run(active, work, span);
  } catch (error) {
    span.fail(typeOf(error));
    throw error;
  } finally {
    active.isOver = true;
    span.end();
  }
}

/** Runs `work` as a part of the span that is active; where none is, or its trace is not recorded, only runs it. */
export function childSpan<T>(start: SpanStart, work: (span: Span) => Promise<T>): Promise<T> {
  const active = activeSpan();
  if (!active?.span.context.isSampled) return work(noSpan);
  const { source, span } = active;
  return withinSpan(source, source.begin(start, span.context), work);
}

/** The fields that link a log line to its trace. */
export function currentTrace(): LogFields | undefined {
  const context = activeSpan()?.span.context;
  return context && { trace_id: context.traceId, span_id: context.spanId, trace_flags: flagsOf(context) };
}

/** The kind of failure. No message: it may quote what somebody sent. */
export function typeOf(error: unknown): string {
  if (isAppError(error)) return error.reason;
  return error instanceof Error ? error.name : 'Error';
}
