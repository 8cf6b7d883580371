import {
  type Context,
  ROOT_CONTEXT,
  type Span as SdkSpan,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  ParentBasedSampler,
  type ReadableSpan,
  type SpanProcessor,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Clock } from '../lib/clock.ts';
import { withoutEnding } from '../lib/text/withoutEnding.ts';
import { allowedAttributes, titleOf } from './attributes.ts';
import { createBatches, type SpanOutcome } from './batches.ts';
import type { RecordedSpan, SpanStart } from './spans.ts';
import type { TraceContext } from './traceparent.ts';

/**
 * The only file that uses OpenTelemetry. It is loaded when traces are on: in the image it is a bundle of its own. Nothing is
 * registered globally, and nothing is instrumented by itself: what is traced is in the code.
 */

export interface SdkOptions {
  /** The base URL of the collector, to which `/v1/traces` is appended. */
  endpoint: string;
  headers: Record<string, string>;
  /** Certificates in PEM, in addition to the public ones; empty: none. */
  ca: string;
  /** The part of new traces that is recorded, from 0 to 1. */
  sampling: number;
  /** What the spans come from, such as service.name. */
  resource: Record<string, string>;
  count(outcome: SpanOutcome, spans: number): void;
  /** A batch was not taken. */
  onFailure(reason: string): void;
  clock: Clock;
}

export interface Sdk {
  begin(start: SpanStart, parent: TraceContext | undefined): RecordedSpan;
  close(limitMs: number): Promise<void>;
}

/** Of one batch, with the repetitions of the exporter. */
const sendMs = 10_000;
const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };

export async function openSdk(options: SdkOptions): Promise<Sdk> {
  const exporter = new OTLPTraceExporter({
    url: `${withoutEnding(options.endpoint, '/')}/v1/traces`,
    headers: options.headers,
    timeoutMillis: sendMs,
    ...(options.ca === '' ? {} : { httpAgentOptions: { keepAlive: true, ca: await withPublic(options.ca) } }),
  });
  const batches = createBatches<ReadableSpan>({
    ...options,
    send: (batch) => sendTo(exporter, batch, options),
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes(options.resource),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(options.sampling) }),
    spanProcessors: [processorOf(batches.add)],
  });
  const tracer = provider.getTracer('slipway');
  return {
    begin({ name, kind, attributes: given = {} }, parent) {
      const attributes = allowedAttributes(given);
      const title = titleOf(name, attributes);
      return recorded(tracer.startSpan(title, { kind: kinds[kind], attributes }, contextOf(parent)));
    },
    async close(limitMs) {
      await batches.close(limitMs);
      // It would wait for what a collector does not answer.
      exporter.shutdown().catch(() => undefined);
    },
  };
}

/** Naming certificates replaces the public ones. */
async function withPublic(ca: string): Promise<string[]> {
  const { rootCertificates } = await import('node:tls');
  return [...rootCertificates, ca];
}

function contextOf(parent: TraceContext | undefined): Context {
  if (!parent) return ROOT_CONTEXT;
  const { traceId, spanId, isSampled } = parent;
  const traceFlags = isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

function recorded(span: SdkSpan): RecordedSpan {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return {
    context: { traceId, spanId, isSampled: (traceFlags & TraceFlags.SAMPLED) !== 0 },
    set: (attributes) => void span.setAttributes(allowedAttributes(attributes)),
    fail(type) {
      span.setAttributes(allowedAttributes({ 'error.type': type }));
      span.setStatus({ code: SpanStatusCode.ERROR });
    },
    end: () => span.end(),
  };
}

function processorOf(add: (span: ReadableSpan) => void): SpanProcessor {
  return {
    onStart: () => undefined,
    onEnd: add,
    forceFlush: () => Promise.resolve(),
    shutdown: () => Promise.resolve(),
  };
}

function sendTo(
  exporter: OTLPTraceExporter,
  batch: ReadableSpan[],
  { onFailure }: Pick<SdkOptions, 'onFailure'>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    exporter.export(batch, ({ error }) => {
      if (!error) return resolve();
      onFailure(error.message);
      reject(error);
    });
  });
}
