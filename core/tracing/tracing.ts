import type { IncomingHttpHeaders } from 'node:http';
import type { Installation } from '../api/installation.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { Metrics } from '../lib/metrics.ts';
import { createThrottle } from '../lib/throttle.ts';
import { parseHeaders } from './headers.ts';
import { tracingMetricTable } from './metrics.ts';
import type { Sdk } from './sdk.ts';
import {
  activeSpan,
  noSpan,
  type Span,
  type SpanSource,
  type SpanStart,
  type StampedObject,
  withinSpan,
} from './spans.ts';
import { readStamp, stampKeyOf, stampOf } from './stamps.ts';
import { formatTraceparent, parseTraceparent, type TraceContext } from './traceparent.ts';

export interface RootStart extends SpanStart {
  /** The span in another process that this work belongs to; absent: it begins a trace. */
  parent?: TraceContext | undefined;
}

/** Begins traces, or the part of a trace that is in this process. Everything below is a `childSpan`. */
export interface Tracer {
  run<T>(start: RootStart, work: (span: Span) => Promise<T>): Promise<T>;
  /** The span of a caller, by the headers of its request. */
  callerOf(headers: IncomingHttpHeaders): TraceContext | undefined;
  /** The span of the request that wrote an object lately. */
  writerOf(object: StampedObject | undefined): TraceContext | undefined;
}

/** Traces are off. */
export const noTracer: Tracer = {
  run: (_start, work) => work(noSpan),
  callerOf: () => undefined,
  writerOf: () => undefined,
};

export interface Tracing {
  tracer: Tracer;
  /** Sends the ended spans, for a few seconds at most. */
  close(): Promise<void>;
}

export interface TracingOptions {
  settings: Installation['tracing'];
  /** The text of the file with headers for the collector; absent: none. */
  headers?: string | undefined;
  /** Of the process: `slipway-apiserver`. */
  service: string;
  pod: { name: string; namespace: string };
  /** Both processes have it. */
  accessKey: Uint8Array;
  metrics: Metrics;
  clock: Clock;
  log: Log;
}

const closeMs = 3000;
const warnMs = 60_000;

/** Beside this file: as source in a checkout, as a bundle in the image. A process without traces never loads it. */
const sdkFile = new URL(import.meta.url.endsWith('.ts') ? './sdk.ts' : './tracing.js', import.meta.url);

/** Loads what traces need, if they are on. Nothing is sent before the first span has ended. */
export async function startTracing(options: TracingOptions): Promise<Tracing> {
  const { settings, clock, log } = options;
  if (settings.endpoint === '') return { tracer: noTracer, close: async () => {} };
  const sdk = await openSdk(options);
  log.info('tracing', { collector: new URL(settings.endpoint).origin, sampling: settings.sampling });
  const key = stampKeyOf(options.accessKey);
  const source: SpanSource = {
    begin: sdk.begin,
    stampOf: (object, context) => stampOf(key, object, { ...context, nowMs: clock.nowMs() }),
  };
  return {
    tracer: {
      run: ({ parent, ...start }, work) => withinSpan(source, sdk.begin(start, parent), work),
      callerOf: ({ traceparent }) =>
        settings.trustCallers ? parseTraceparent(traceparent?.toString()) : undefined,
      writerOf: (object) => object && readStamp(key, object, clock.nowMs()),
    },
    close: () => sdk.close(closeMs),
  };
}

async function openSdk(options: TracingOptions): Promise<Sdk> {
  const { settings, service, pod, metrics, clock, log } = options;
  const { spans } = metrics.instruments(tracingMetricTable);
  const isWarningDue = createThrottle(clock, warnMs);
  const { openSdk: open }: typeof import('./sdk.ts') = await import(sdkFile.href);
  return open({
    endpoint: settings.endpoint,
    ca: settings.ca,
    sampling: settings.sampling,
    clock,
    headers: headersOf(options),
    resource: {
      'service.name': service,
      'service.instance.id': pod.name,
      'k8s.pod.name': pod.name,
      'k8s.namespace.name': pod.namespace,
    },
    count: (outcome, count) => spans.inc({ outcome }, count),
    onFailure(reason) {
      if (isWarningDue.take('')) log.warn('the collector does not take traces', { reason });
    },
  });
}

function headersOf({ settings, headers, log }: TracingOptions): Record<string, string> {
  if (settings.hasHeaders && headers === undefined)
    log.warn('the Secret with headers for the collector is missing: traces are sent without them');
  return parseHeaders(headers ?? '');
}

/** The `traceparent` of the active span, with which another process continues its trace. */
export function currentTraceparent(): string | undefined {
  const context = activeSpan()?.span.context;
  return context && formatTraceparent(context);
}
