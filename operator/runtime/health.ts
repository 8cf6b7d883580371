import { createServer, type Server } from 'node:http';
import type { Metrics } from '../../core/lib/metrics.ts';

interface HealthOptions {
  port: number;
  metrics: Metrics;
  /** Why the process is not ready, or undefined when it is. */
  whyNotReady: () => string | undefined;
  /** Called before each scrape, to update gauges that are computed on demand. */
  beforeScrape?: () => void;
}

/** Serves /healthz (the event loop runs), /readyz (caches are synced) and /metrics. */
export function serveHealth({ port, metrics, whyNotReady, beforeScrape }: HealthOptions): Promise<Server> {
  const server = createServer((request, response) => {
    const answer = (status: number, text: string, contentType = 'text/plain; charset=utf-8') => {
      response.writeHead(status, { 'content-type': contentType }).end(text);
    };
    const path = (request.url ?? '').split('?')[0];
    if (path === '/healthz') return answer(200, 'ok\n');
    if (path === '/readyz') {
      const reason = whyNotReady();
      return reason === undefined ? answer(200, 'ok\n') : answer(503, `${reason}\n`);
    }
    if (path !== '/metrics') return answer(404, 'not found\n');
    beforeScrape?.();
    metrics.scrape().then(
      ({ text, contentType }) => answer(200, text, contentType),
      () => answer(500, 'metrics cannot be read\n'),
    );
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, () => resolve(server));
  });
}
