import { createHmac, timingSafeEqual } from 'node:crypto';
import { annotations } from '../api/names.ts';
import type { KubeObject } from '../api/resources/kubeObject.ts';
import { activeSpan, type StampedObject } from './spans.ts';
import { formatTraceparent, parseTraceparent, type TraceContext } from './traceparent.ts';

/**
 * The annotation that names the request that wrote an object, so that the operator's work on it joins the same trace. It is
 * signed for its object: a user who may change annotations can neither add work to somebody else's trace nor choose what is
 * recorded. It is valid for a short time, so that traces end.
 */
const countsMs = 10 * 60_000;
/** The kinds whose reconciles read it. */
const kinds = new Set(['Network', 'Outbox', 'Recording', 'Snapshot', 'Token', 'Webhook', 'Workspace']);
const pattern = /^([0-9a-f-]{55});([0-9]{1,12});([A-Za-z0-9_-]{22})$/;

/** The key of stamps, derived from an access key, which both processes have. */
export function stampKeyOf(accessKey: Uint8Array): Buffer {
  return createHmac('sha256', accessKey).update('slipway/trace-stamps').digest();
}

export function stampOf(key: Uint8Array, object: StampedObject, context: TraceContext & { nowMs: number }) {
  const signed = `${formatTraceparent(context)};${Math.floor(context.nowMs / 1000)}`;
  return `${signed};${signatureOf(key, object, signed)}`;
}

/** The span that wrote an object lately; undefined without a valid stamp. */
export function readStamp(key: Uint8Array, object: StampedObject, nowMs: number): TraceContext | undefined {
  const text = object.metadata.annotations?.[annotations.trace];
  const [, traceparent = '', seconds = '', signature = ''] = pattern.exec(text ?? '') ?? [];
  if (signature === '' || Math.abs(nowMs - Number(seconds) * 1000) > countsMs) return undefined;
  const expected = signatureOf(key, object, `${traceparent};${seconds}`);
  if (!timingSafeEqual(Buffer.from(expected), Buffer.from(signature))) return undefined;
  return parseTraceparent(traceparent);
}

/**
 * An object that is about to be created or changed, with the stamp of the active span. Without tracing it is the same object; if
 * the trace is not recorded, an earlier stamp goes. Never call it for an object that is not written otherwise.
 */
export function stamped<T extends KubeObject>(object: T): T {
  const active = activeSpan();
  if (!active || !kinds.has(object.kind)) return object;
  const { context } = active.span;
  const { [annotations.trace]: former, ...others } = object.metadata.annotations ?? {};
  if (!context.isSampled && former === undefined) return object;
  const own = context.isSampled
    ? { ...others, [annotations.trace]: active.source.stampOf(object, context) }
    : others;
  return { ...object, metadata: { ...object.metadata, annotations: own } };
}

function signatureOf(key: Uint8Array, { kind, metadata }: StampedObject, signed: string): string {
  const { namespace = '', name } = metadata;
  const text = [kind, namespace, name, signed].join('\n');
  return createHmac('sha256', key).update(text).digest('base64url').slice(0, 22);
}
