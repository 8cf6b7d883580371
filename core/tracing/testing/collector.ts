import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';

/** A span as a collector gets it. */
export interface CollectedSpan {
  service: string;
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  /** SpanKind of OTLP: 1 internal, 2 server, 3 client. */
  kind: number;
  isError: boolean;
  attributes: Record<string, string | number>;
}

export interface Collector {
  url: string;
  spans(): CollectedSpan[];
  requests(): { path: string | undefined; headers: IncomingHttpHeaders; text: string }[];
  /** Resolves with the first span that fits, also if it came before. */
  waitFor(isFit: (span: CollectedSpan) => boolean): Promise<CollectedSpan>;
  /** Answers with this status from now on; `silent`: not at all. What waits for an answer is cut. */
  behave(how: number | 'silent'): void;
  close(): Promise<void>;
}

interface OtlpValue {
  stringValue?: string;
  intValue?: number | string;
  doubleValue?: number;
}

interface OtlpSpan extends Omit<CollectedSpan, 'attributes' | 'service' | 'isError'> {
  attributes?: { key: string; value: OtlpValue }[];
  status?: { code?: number };
}

interface OtlpTraces {
  resourceSpans: {
    resource: { attributes: { key: string; value: OtlpValue }[] };
    scopeSpans: { spans: OtlpSpan[] }[];
  }[];
}

/** A collector that takes OTLP/HTTP with JSON over a real connection, and keeps it in memory. */
export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const requests: { path: string | undefined; headers: IncomingHttpHeaders; text: string }[] = [];
  const listeners = new Set<() => void>();
  let how: number | 'silent' = 200;
  const server = createServer(async (request, response) => {
    const text = await textOf(request);
    requests.push({ path: request.url, headers: request.headers, text });
    if (how === 'silent') return;
    if (how === 200) spans.push(...spansIn(JSON.parse(text)));
    response.writeHead(how, { 'content-type': 'application/json' }).end('{}');
    for (const listener of listeners) listener();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: () => spans,
    requests: () => requests,
    behave(next) {
      how = next;
      server.closeAllConnections();
    },
    waitFor: (isFit) =>
      new Promise((resolve) => {
        const look = () => {
          const found = spans.find(isFit);
          if (!found) return;
          listeners.delete(look);
          resolve(found);
        };
        listeners.add(look);
        look();
      }),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function spansIn({ resourceSpans }: OtlpTraces): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans
      .flatMap(({ spans }) => spans)
      .map(({ attributes = [], status, ...span }) => ({
        ...span,
        parentSpanId: span.parentSpanId || undefined,
        service: String(attributesOf(resource.attributes)['service.name']),
        isError: status?.code === 2,
        attributes: attributesOf(attributes),
      })),
  );
}

function attributesOf(list: { key: string; value: OtlpValue }[]): Record<string, string | number> {
  return Object.fromEntries(
    list.map(({ key, value }) => [
      key,
      value.stringValue ?? Number(value.intValue ?? value.doubleValue ?? Number.NaN),
    ]),
  );
}
