import { createMetrics, defineMetrics } from './metrics.ts';

const doors = defineMetrics({
  opened: {
    type: 'counter',
    name: 'slipway_doors_opened_total',
    help: 'Doors opened.',
    labels: { side: 'left or right' },
  },
  open: { type: 'gauge', name: 'slipway_open_doors', help: 'Doors that are open.' },
  held: { type: 'histogram', name: 'slipway_door_held_duration_seconds', help: 'Time that a door was open.' },
});
const windows = defineMetrics({
  open: { type: 'gauge', name: 'slipway_open_windows', help: 'Windows that are open.' },
});

describe('the metrics of a process', () => {
  test('are exposed with name, type, help and labels of their table', async () => {
    const metrics = createMetrics([doors]);
    const { opened, open, held } = metrics.instruments(doors);
    opened.inc({ side: 'left' });
    open.set(2);
    held.observe(0.2);
    const { contentType, text } = await metrics.scrape();
    expect(contentType).toContain('text/plain');
    expect(text).toContain('# HELP slipway_doors_opened_total Doors opened.');
    expect(text).toContain('# TYPE slipway_doors_opened_total counter');
    expect(text).toContain('slipway_doors_opened_total{side="left"} 1');
    expect(text).toContain('slipway_open_doors 2');
    expect(text).toContain('slipway_door_held_duration_seconds_bucket{le="0.25"} 1');
  });

  test('are exposed before anything was counted', async () => {
    const { text } = await createMetrics([doors, windows]).scrape();
    expect(text.match(/^# TYPE \S+/gm)).toEqual([
      '# TYPE slipway_doors_opened_total',
      '# TYPE slipway_open_doors',
      '# TYPE slipway_door_held_duration_seconds',
      '# TYPE slipway_open_windows',
    ]);
  });

  test('are only those of its tables', () => {
    const metrics = createMetrics([doors]);
    expect(() => metrics.instruments(windows)).toThrow(
      'metrics not registered in this process: slipway_open_windows',
    );
  });

  test('have unique names', () => {
    expect(() => createMetrics([windows, { ...windows }])).toThrow('slipway_open_windows');
  });

  test('include memory and CPU when asked', async () => {
    const { text } = await createMetrics([], { hasDefaults: true }).scrape();
    expect(text).toContain('process_cpu_seconds_total');
    expect(text).toContain('nodejs_eventloop_lag_seconds');
  });
});
