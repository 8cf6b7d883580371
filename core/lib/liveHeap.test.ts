import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { heapMetricTable, observeLiveHeap } from './liveHeap.ts';
import { createMetrics } from './metrics.ts';

setFlagsFromString('--expose-gc');
const collect: (options?: { type: 'minor' }) => void = runInNewContext('gc');

it('is what the heap holds after a full collection, and 0 before', async () => {
  const metrics = createMetrics([heapMetricTable]);
  const read = Promise.withResolvers<void>();
  observeLiveHeap(metrics, () => {
    read.resolve();
    return 12_345;
  });
  expect((await metrics.scrape()).text).toContain('slipway_live_heap_bytes 0');
  collect({ type: 'minor' });
  expect((await metrics.scrape()).text).toContain('slipway_live_heap_bytes 0');
  collect();
  await read.promise;
  expect((await metrics.scrape()).text).toContain('slipway_live_heap_bytes 12345');
});
