import { createServer, type RequestListener, type Server } from 'node:http';
import type { Metrics } from '../metrics.ts';

interface HealthOptions {
  metrics: Pick<Metrics, 'scrape'>;
  /** Why the process is not ready; undefined when it is. */
  whyNotReady(): string | undefined;
  /** Called before each scrape, to update gauges that are computed on demand. */
  beforeScrape?(): void;
  /** Answers every other path; 404 when absent. */
  others?: RequestListener;
}

/** A server, not yet listening, for /healthz (the event loop runs), /readyz and /metrics. */
export function createHealthServer({ metrics, whyNotReady, beforeScrape, others }: HealthOptions): Server {
  return createServer((request, response) => {
    const answer = (status: number, text: string, contentType = 'text/plain; charset=utf-8') => {
      response.writeHead(status, { 'content-type': contentType }).end(text);
    };
    const [path] = (request.url ?? '').split('?');
    if (path === '/healthz') return answer(200, 'ok\n');
    if (path === '/readyz') {
      const reason = whyNotReady();
      return reason === undefined ? answer(200, 'ok\n') : answer(503, `${reason}\n`);
    }
    if (path !== '/metrics') return others ? others(request, response) : answer(404, 'not found\n');
    beforeScrape?.();
    metrics.scrape().then(
      ({ text, contentType }) => answer(200, text, contentType),
      () => answer(500, 'cannot collect the metrics\n'),
    );
  });
}
