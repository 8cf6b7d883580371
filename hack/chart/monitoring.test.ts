import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { alerts } from '../generate/monitoring/files.ts';
import { projectRoot } from '../lib/paths.ts';
import { chart, helmSkipReason, renderChart } from './render.ts';

const page = readFileSync(join(projectRoot, 'docs', 'observability.md'), 'utf8');
const describeChart = helmSkipReason() === undefined ? describe : describe.skip;

test('each alert has a runbook where its link points', () => {
  const headings = [...page.matchAll(/^### (\w+)$/gm)].map(([, name]) => name);
  expect(headings).toEqual(expect.arrayContaining(alerts.map(({ alert }) => alert)));
  expect(headings.filter((name) => name?.startsWith('Slipway')).length).toBe(alerts.length);
});

describeChart('the chart', () => {
  const monitoring = async (values: object) =>
    (await renderChart(values)).filter(
      ({ kind, metadata }) => kind === 'PrometheusRule' || metadata.name.endsWith('-dashboard'),
    );

  test('has neither alerts nor a dashboard by default: not every cluster knows them', async () => {
    expect(await monitoring({})).toEqual([]);
  });

  test('has all alerts, with labels and links of the installation', async () => {
    const [rule] = await monitoring({
      monitoring: {
        alerts: { enabled: true, labels: { release: 'prom' }, runbooks: 'https://wiki.example/slipway' },
      },
    });
    expect(rule?.metadata.labels).toMatchObject({ release: 'prom' });
    const { rules } = rule?.spec.groups[0] ?? {};
    expect(rules.map(({ alert }: { alert: string }) => alert)).toEqual(alerts.map(({ alert }) => alert));
    expect(rules[0]).toMatchObject({
      expr: 'up{job="slipway-metrics"} == 0',
      annotations: {
        summary: '{{ $labels.pod }} does not answer scrapes.',
        runbook_url: 'https://wiki.example/slipway#slipwaydown',
      },
    });
  });

  test('has the dashboard with the label that the sidecar of Grafana looks for', async () => {
    const [map] = await monitoring({ monitoring: { dashboard: { enabled: true } } });
    expect(map?.metadata.labels).toMatchObject({ grafana_dashboard: '1' });
    const { panels } = JSON.parse(map?.data?.['slipway.json'] ?? '');
    expect(new Set(panels.map(({ id }: { id: number }) => id)).size).toBe(panels.length);
    for (const { type, targets } of panels) expect(type === 'row' || targets.length > 0).toBe(true);
  });
});

test('the rules of the chart are a rule file of Prometheus as they are', () => {
  const { groups } = parse(readFileSync(join(chart, 'files', 'alerts.yaml'), 'utf8'));
  expect(groups[0].rules).toHaveLength(alerts.length);
});
