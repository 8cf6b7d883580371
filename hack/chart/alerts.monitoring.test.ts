import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { alerts } from '../generate/monitoring/files.ts';
import { tryRun } from '../lib/run.ts';
import { findDebianPackage } from '../testing/debianPackage.ts';
import { chart } from './render.ts';

/** The alerts of the chart, judged by Prometheus itself. */

const rules = join(chart, 'files', 'alerts.yaml');
const folder = mkdtempSync(join(tmpdir(), 'slipway-alerts-'));
afterAll(() => rmSync(folder, { recursive: true }));

const { root = '', problem } = await findDebianPackage('prometheus');
const promtool = (...args: string[]) => tryRun(join(root, 'usr', 'bin', 'promtool'), args);
const suite = problem ? describe.skip : describe;

interface Case {
  /** Series and their values from minute to minute, in the notation of promtool. */
  series: Record<string, string>;
  minute: number;
  /** The labels of each alert that fires. */
  fires: Record<string, string>[];
}

/** For each alert, what makes it fire and what does not. */
const cases: Record<string, Case[]> = {
  SlipwayDown: [
    {
      series: { 'up{job="slipway-metrics",pod="a"}': '0x10' },
      minute: 6,
      fires: [{ job: 'slipway-metrics', pod: 'a' }],
    },
    { series: { 'up{job="slipway-metrics",pod="a"}': '0 1x10' }, minute: 6, fires: [] },
  ],
  SlipwayApiErrors: [
    {
      series: {
        'slipway_http_requests_total{code="200"}': '0+90x40',
        'slipway_http_requests_total{code="500"}': '0+10x40',
      },
      minute: 30,
      fires: [{}],
    },
    {
      series: {
        'slipway_http_requests_total{code="200"}': '0+100x40',
        'slipway_http_requests_total{code="404"}': '0+90x40',
      },
      minute: 30,
      fires: [],
    },
  ],
  SlipwayNoLeader: [
    {
      series: { 'slipway_operator_leader{pod="a"}': '0x10', 'slipway_operator_leader{pod="b"}': '0x10' },
      minute: 5,
      fires: [{}],
    },
    { series: { other: '0x10' }, minute: 5, fires: [{}] },
    {
      series: { 'slipway_operator_leader{pod="a"}': '1x10', 'slipway_operator_leader{pod="b"}': '0x10' },
      minute: 5,
      fires: [],
    },
  ],
  SlipwayReconcilesFail: [
    {
      series: {
        'slipway_reconciles_total{controller="network",outcome="error"}': '0+30x40',
        'slipway_reconciles_total{controller="network",outcome="ok"}': '0+70x40',
        'slipway_reconciles_total{controller="token",outcome="ok"}': '0+70x40',
      },
      minute: 35,
      fires: [{ controller: 'network' }],
    },
  ],
  SlipwayGatewaySlow: [
    {
      series: {
        'slipway_rpc_request_duration_seconds_bucket{le="5"}': '0+90x60',
        'slipway_rpc_request_duration_seconds_bucket{le="10"}': '0+100x60',
        'slipway_rpc_request_duration_seconds_bucket{le="+Inf"}': '0+100x60',
      },
      minute: 40,
      fires: [{}],
    },
  ],
  SlipwayForkSourceFails: [
    {
      series: {
        'slipway_fork_source_requests_total{type="Ethereum",outcome="failed"}': '0+20x40',
        'slipway_fork_source_requests_total{type="Ethereum",outcome="ok"}': '0+80x40',
      },
      minute: 30,
      fires: [{ type: 'Ethereum' }],
    },
  ],
  SlipwayWebhooksFail: [
    {
      series: {
        'slipway_webhook_attempts_total{outcome="failed"}': '0+60x90',
        'slipway_webhook_attempts_total{outcome="delivered"}': '0+40x90',
      },
      minute: 60,
      fires: [{}],
    },
  ],
  SlipwayQuotaNearlyFull: [
    {
      series: {
        'slipway_workspace_quota_used_ratio{workspace="a"}': '0.95x40',
        'slipway_workspace_quota_used_ratio{workspace="b"}': '0.5x40',
      },
      minute: 20,
      fires: [{ workspace: 'a' }],
    },
  ],
  SlipwayStorageNearlyFull: [
    {
      series: {
        'slipway_stored_ratio{budget="cached"}': '0.85x40',
        'slipway_stored_ratio{budget="stored"}': '0.7x40',
      },
      minute: 20,
      fires: [{ budget: 'cached' }],
    },
  ],
  SlipwayWorkspaceStorageNearlyFull: [
    {
      series: {
        'slipway_workspace_stored_ratio{workspace="a",budget="cached"}': '0.95x40',
        'slipway_workspace_stored_ratio{workspace="b",budget="stored"}': '0.5x40',
      },
      minute: 20,
      fires: [{ workspace: 'a', budget: 'cached' }],
    },
  ],
  SlipwayOldMasterKey: [
    {
      series: {
        'slipway_secrets{key="k1"}': '1x1600',
        'slipway_secrets{key="k2"}': '5x1600',
        'slipway_secrets{key="none"}': '2x1600',
      },
      minute: 1500,
      fires: [{}],
    },
    {
      series: { 'slipway_secrets{key="k2"}': '5x1600', 'slipway_secrets{key="none"}': '2x1600' },
      minute: 1500,
      fires: [],
    },
  ],
  SlipwayAuditIncomplete: [
    { series: { 'slipway_audit_entries_total{outcome="dropped"}': '0+1x30' }, minute: 20, fires: [{}] },
  ],
  SlipwayEnginesInvalid: [
    {
      series: {
        'slipway_engine_entries_invalid{object="slipway-engines",pod="a"}': '1x30',
        'slipway_engine_entries_invalid{object="slipway-engines",pod="b"}': '1x30',
        'slipway_engine_entries_invalid{object="slipway-engines-available",pod="a"}': '0x30',
      },
      minute: 20,
      fires: [{ object: 'slipway-engines' }],
    },
  ],
};

suite(`alerts${problem ? ` (skipped: ${problem})` : ''}`, () => {
  test('Prometheus accepts the rules', async () => {
    const { code, output } = await promtool('check', 'rules', rules);
    expect(output).toContain(`SUCCESS: ${alerts.length} rules found`);
    expect(code).toBe(0);
  });

  test.each(Object.entries(cases))('%s fires when it should, and only then', async (alertname, all) => {
    const severity = alerts.find(({ alert }) => alert === alertname)?.severity ?? '';
    const file = join(folder, `${alertname}.yaml`);
    const tests = all.map(({ series, minute, fires }) => ({
      interval: '1m',
      input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
      alert_rule_test: [
        {
          alertname,
          eval_time: `${minute}m`,
          exp_alerts: fires.map((one) => ({ exp_labels: { ...one, severity } })),
        },
      ],
    }));
    // Annotations are words for people, and would be repeated here.
    writeFileSync(join(folder, 'rules.yaml'), withoutAnnotations());
    writeFileSync(
      file,
      stringify({ rule_files: [join(folder, 'rules.yaml')], evaluation_interval: '1m', tests }),
    );
    const { output } = await promtool('test', 'rules', file);
    expect(output).toContain('SUCCESS');
  });
});

function withoutAnnotations(): string {
  const all = alerts.map(({ alert, expr, for: held, severity }) => ({
    alert,
    expr,
    for: held,
    labels: { severity },
  }));
  return stringify({ groups: [{ name: 'slipway', rules: all }] });
}
