import { createServer, type Server, type ServerResponse } from 'node:http';
import type { Metrics } from '../core/lib/metrics.ts';

/** A server, not yet listening, for /healthz (the event loop runs), /readyz and /metrics. */
export function createHealthServer(metrics: Metrics, whyNotReady: () => string | undefined): Server {
  return createServer((request, response) => {
    const [path] = (request.url ?? '').split('?');
    if (path === '/healthz') return answer(response, 200, 'ok');
    if (path === '/readyz') {
      const reason = whyNotReady();
      return answer(response, reason === undefined ? 200 : 503, reason ?? 'ok');
    }
    if (path !== '/metrics') return answer(response, 404, 'not found');
    metrics.scrape().then(
      ({ contentType, text }) => response.setHeader('Content-Type', contentType).end(text),
      () => answer(response, 500, 'cannot collect the metrics'),
    );
  });
}

function answer(response: ServerResponse, status: number, text: string): void {
  response.statusCode = status;
  response.setHeader('Content-Type', 'text/plain; charset=utf-8');
  response.end(`${text}\n`);
}
