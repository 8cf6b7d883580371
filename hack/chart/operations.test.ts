import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { projectRoot } from '../lib/paths.ts';

/** The page is what an operator of an installation has at night: what it quotes must be what the code says. */

const read = (file: string) => readFileSync(join(projectRoot, file), 'utf8');
const page = read('docs/operations.md');

const rows = (page.split('\n## Troubleshooting\n')[1] ?? '')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (symptom|---)/.test(line))
  .map((line) => line.slice(2, -2).split(' | '));

const folders = [
  'core',
  'operator',
  'apiserver',
  'features',
  'admission',
  'forks',
  'hack/backup',
  'charts/slipway/templates',
];
const sources = execFileSync('git', ['ls-files', ...folders], { cwd: projectRoot })
  .toString()
  .split('\n')
  .filter((file) => /\.(ts|yaml)$/.test(file) && !/\.test\.ts$|\/testing\//.test(file))
  .map(read)
  .join('\n');

/** Words of Kubernetes, Helm and Node themselves. */
const ofOthers = [
  'EAI_AGAIN',
  ...['failed calling webhook', 'kubectl delete namespace'],
  ...['helm upgrade', 'helm rollback', 'pre-upgrade hooks failed'],
];
const quotes = rows
  .flatMap(([symptom = '']) => [...symptom.matchAll(/`([^`]+)`/g)].map(([, quote = '']) => quote))
  .filter((quote) => !ofOthers.includes(quote));

it('finds the messages that it checks', () => {
  expect(rows.length).toBeGreaterThan(10);
  expect(quotes).toContain('the pod cannot be scheduled');
});

it.each(quotes)('a symptom quotes a message as the code writes it: %s', (quote) => {
  expect(sources.includes(quote)).toBe(true);
});

it('every symptom has a place to look at and a remedy', () => {
  expect(rows.filter((cells) => cells.length !== 3 || cells.some((cell) => cell.trim() === ''))).toEqual([]);
});

it('every chart value that the page names exists', () => {
  const values = parse(read('charts/slipway/values.yaml'));
  const tops = Object.keys(values).join('|');
  const named = [...page.matchAll(new RegExp(`\`((?:${tops})(?:\\.[a-zA-Z<>-]+)+)(?:=[a-z]+)?\``, 'g'))];
  const isThere = (path: string) =>
    path.split('.').reduce((at: unknown, key) => {
      if (typeof at !== 'object' || at === null) return undefined;
      const found = key === '<name>' ? 'evm-dev' : key;
      return (at as Record<string, unknown>)[found];
    }, values) !== undefined;
  expect(named.length).toBeGreaterThan(5);
  expect(named.map(([, path = '']) => path).filter((path) => !isThere(path))).toEqual([]);
});

it('every make target that the page names exists', () => {
  const makefile = read('Makefile');
  const targets = [...page.matchAll(/\bmake ([a-z-]+)/g)].map(([, target = '']) => target);
  expect(targets).toEqual(expect.arrayContaining(['backup', 'restore', 'test-upgrade']));
  expect(targets.filter((target) => !new RegExp(`^${target}:`, 'm').test(makefile))).toEqual([]);
});

it('every alert that the page names is one of those that users are given', () => {
  const given = execFileSync('git', ['grep', '-hoE', 'alert: Slipway[A-Za-z]+', '--', 'docs', 'charts'], {
    cwd: projectRoot,
  });
  const alerts = [...page.matchAll(/`(Slipway[A-Za-z]+)`/g)].map(([, name = '']) => name);
  expect(alerts.length).toBeGreaterThan(0);
  expect(alerts.filter((name) => !given.toString().split('\n').includes(`alert: ${name}`))).toEqual([]);
});
