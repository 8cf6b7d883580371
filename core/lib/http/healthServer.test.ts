import type { Server } from 'node:http';
import { createHealthServer } from './healthServer.ts';
import { listen } from './listen.ts';

let server: Server;
let reason: string | undefined;
let scrapes: string[];
let scrape: () => Promise<{ text: string; contentType: string }>;
beforeEach(async () => {
  reason = undefined;
  scrapes = [];
  scrape = async () => {
    scrapes.push('scraped');
    return { text: 'up 1\n', contentType: 'text/plain; version=0.0.4' };
  };
  server = createHealthServer({
    metrics: { scrape: () => scrape() },
    whyNotReady: () => reason,
    beforeScrape: () => void scrapes.push('updated'),
  });
  await listen(server, 0);
});
afterEach(() => void server.close());

async function get(path: string) {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { connection: 'close' } });
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
}

it('says that the process runs, whether or not it is ready', async () => {
  reason = 'caches are not synced yet';
  expect(await get('/healthz?verbose')).toMatchObject({ status: 200, text: 'ok\n' });
  expect(await get('/readyz')).toMatchObject({ status: 503, text: 'caches are not synced yet\n' });
  reason = undefined;
  expect(await get('/readyz')).toMatchObject({ status: 200, text: 'ok\n' });
});

it('serves metrics, after those that are computed on demand were updated', async () => {
  expect(await get('/metrics')).toEqual({ status: 200, type: 'text/plain; version=0.0.4', text: 'up 1\n' });
  expect(scrapes).toEqual(['updated', 'scraped']);
});

it('answers 500 if the metrics cannot be collected, and 404 to everything else', async () => {
  scrape = () => Promise.reject(new Error('broken'));
  expect(await get('/metrics')).toMatchObject({ status: 500, text: 'cannot collect the metrics\n' });
  expect(await get('/')).toMatchObject({ status: 404 });
});

it('rejects if the port is taken', async () => {
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  const other = createHealthServer({ metrics: { scrape }, whyNotReady: () => undefined });
  await expect(listen(other, port)).rejects.toThrow('EADDRINUSE');
});
