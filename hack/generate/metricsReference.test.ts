import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMetrics, type MetricDefinition } from '../../core/lib/metrics.ts';
import { metricsOfProcesses, metricsReference } from './metricsReference.ts';
import { alerts } from './monitoring/files.ts';

const root = join(import.meta.dirname, '../..');
const reference = metricsReference();
const definitions: MetricDefinition[] = metricsOfProcesses.flatMap(({ tables }) =>
  tables.flatMap((table) => Object.values(table)),
);
const distinct = [...new Set(definitions)];

/** `name type` of each row in the section of a process. */
function rowsOf(name: string): string[] {
  const section = reference.split(/^## /m).find((text) => text.startsWith(`${name}\n`)) ?? '';
  return [...section.matchAll(/^\| `(\w+)` \| (\w+) \|/gm)].map(([, metric, type]) => `${metric} ${type}`);
}

/** The metrics of Slipway that `text` names, without the suffixes of a histogram's series. */
const metricsIn = (text: string): string[] =>
  (text.match(/\bslipway_[a-z_]+[a-z]\b/g) ?? []).map((name) => name.replace(/_(bucket|sum|count)$/, ''));

test.each(metricsOfProcesses)('what $name exposes is listed, and nothing else', async ({ name, tables }) => {
  const { text } = await createMetrics(tables).scrape();
  const exposed = [...text.matchAll(/^# TYPE (\w+ \w+)$/gm)].map(([, metric]) => metric);
  expect(exposed.length).toBeGreaterThan(0);
  expect(rowsOf(name)).toEqual(exposed.sort());
});

test('a process registers the tables that are listed for it', () => {
  const production = [
    'admission',
    'apiserver',
    'features',
    'forks',
    'operator',
    ':!*.test.ts',
    ':!*/testing/*',
  ];
  const calls = execFileSync('git', ['grep', '-oh', 'createProcessMetrics([^)]*', '--', ...production], {
    cwd: root,
  });
  expect(calls.toString().trim().split('\n').sort()).toEqual([
    'createProcessMetrics(admissionMetricTables',
    'createProcessMetrics(apiserverMetricTables',
    'createProcessMetrics(compilerMetricTables',
    'createProcessMetrics(forkMetricTables',
    'createProcessMetrics(operatorMetricTables',
  ]);
});

const conventions: [string, (definition: MetricDefinition) => boolean][] = [
  ['a name is in snake case', ({ name }) => /^slipway(_[a-z]+)+$/.test(name)],
  [
    'a counter, and nothing else, ends in _total',
    ({ name, type }) => name.endsWith('_total') === (type === 'counter'),
  ],
  [
    'a histogram is a duration in seconds',
    ({ name, type }) => type !== 'histogram' || name.endsWith('_duration_seconds'),
  ],
  [
    'a name contains only base units',
    ({ name }) => !/_(ms|milliseconds|minutes|hours|kb|mb|percent)(_|$)/.test(name),
  ],
  [
    'the help of a metric in seconds says so',
    ({ name, help }) => !name.includes('_seconds') || /\bseconds\b/.test(help),
  ],
  ['a help text is a sentence', ({ help }) => /^[A-Z].*\.$/.test(help)],
  [
    'no text breaks the row of a table',
    ({ help, labels = {} }) => !/[|\n]/.test(help + Object.values(labels).join()),
  ],
];
test.each(conventions)('%s', (_reason, holds) => {
  expect(distinct.filter((definition) => !holds(definition))).toEqual([]);
});

test('no two metrics share a name', () => {
  const names = distinct.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
});

test('alerts use labels and metrics that exist', () => {
  const known = new Map<string, string[]>(
    distinct.map(({ name, labels = {} }) => [name, Object.keys(labels)]),
  );
  for (const { expr } of alerts) {
    const labels = metricsIn(expr).flatMap((name) => known.get(name) ?? [`no metric ${name}`]);
    const used = [...expr.matchAll(/\bby \(([^)]*)\)|\{(\w+)=/g)].flatMap(([, by = '', label]) =>
      label === undefined ? by.split(', ') : [label],
    );
    expect([...labels, 'le', 'job']).toEqual(expect.arrayContaining(used));
    expect(labels.filter((label) => label.startsWith('no metric'))).toEqual([]);
  }
});

test('documents and the chart name metrics that exist', () => {
  const files = execFileSync('git', ['ls-files', 'README.md', 'docs/*.md', 'charts'], { cwd: root })
    .toString()
    .trim()
    .split('\n')
    .filter((file) => !file.startsWith('docs/decisions/'));
  const named = files.flatMap((file) => metricsIn(readFileSync(join(root, file), 'utf8')));
  const known = distinct.map(({ name }): string => name);
  expect(named).toContain('slipway_secrets');
  expect(named.filter((name) => !known.includes(name))).toEqual([]);
});
