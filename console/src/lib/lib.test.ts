import { parse } from 'yaml';
import { facetOf, formatSelector, matches, parseSelector, withFacet } from './selector.ts';
import { dueTime, durationMs, exactRelativeTime, relativeTime, remaining } from './time.ts';
import { toSmallestUnits } from './units.ts';
import { toYaml } from './yaml.ts';

describe('selectors, as the API has them', () => {
  const network: Record<string, string> = { 'status.state': 'Stopped', 'metadata.name': 'a && b' };
  const isMatch = (text: string) => {
    const clauses = parseSelector(text);
    return clauses && matches(clauses, (field) => network[field]);
  };

  test.each([
    ['status.state == Stopped', true],
    ['status.state==Operational', false],
    ['status.state != Operational', true],
    ['status.state IN (Operational, Stopped)', true],
    ["status.state IN ('Operational')", false],
    ['metadata.name == "a && b" && status.state == Stopped', true],
    ['metadata.ownerID != me', true],
    ['metadata.ownerID == me', false],
  ])('%s: %s', (text, expected) => {
    expect(isMatch(text)).toBe(expected);
  });

  test.each([
    '',
    'my-net',
    'status.state',
    'status.state ==',
    '== x',
    'a == b &&',
    'a IN (b',
    'a IN ()',
    'a == "b',
  ])('none in: %s', (text) => {
    expect(parseSelector(text)).toBeUndefined();
  });

  test('what is formatted parses to the same', () => {
    const clauses = [
      { field: 'status.state', values: ['Error', 'Stopped'], isExcluded: false },
      { field: 'metadata.labels.team', values: ['a "b" && c'], isExcluded: true },
    ];
    expect(parseSelector(formatSelector(clauses))).toEqual(clauses);
  });

  test('a choice changes its own condition and keeps the others', () => {
    const selector = 'metadata.labels.team == core && status.state != Error';
    const chosen = withFacet(selector, 'spec.chain.type', 'Base');
    expect(chosen).toBe('metadata.labels.team == core && status.state != Error && spec.chain.type == Base');
    expect([facetOf(chosen, 'spec.chain.type'), facetOf(chosen, 'status.state')]).toEqual(['Base', '']);
    expect(withFacet(chosen, 'spec.chain.type', '')).toBe(selector);
  });
});

test.each([
  [{ a: 1, b: { c: [{ d: 'x', e: true }, { f: [] }], g: {} } }],
  [{ version: '1.0', no: 'no', empty: '', text: 'a: b', id: '31337', key: 'hot-key', lines: 'a\nb' }],
  [{ 'metadata/x.y': ['a', 'b c', '- d'], nothing: null }],
])('YAML of %j reads back', (value) => {
  expect(parse(toYaml(value))).toEqual(value);
});

test.each([
  ['1', '1000000000000000000'],
  ['0.5', '500000000000000000'],
  ['0', '0'],
  ['1e3', undefined],
  ['-1', undefined],
  ['0.0000000000000000001', undefined],
])('%s coins', (amount, expected) => {
  expect(toSmallestUnits(amount, 18)).toBe(expected);
});

test('times for people', () => {
  const now = Date.parse('2030-01-01T12:00:00Z');
  expect(relativeTime('2030-01-01T11:59:50Z', now)).toBe('just now');
  expect(relativeTime('2030-01-01T11:55:00Z', now)).toBe('5 min. ago');
  expect(relativeTime(undefined, now)).toBe('');
  expect(relativeTime('2030-01-01T12:00:20Z', now)).toBe('just now');
  expect([remaining(3_905_000), remaining(249_000), remaining(-1)]).toEqual(['1h 05m', '4m 09s', '0s']);
  expect([durationMs('1h30m'), durationMs('90s'), durationMs('soon')]).toEqual([
    5_400_000,
    90_000,
    undefined,
  ]);
});

test.each([
  ['2030-01-01T12:00:20Z', 'in less than a minute'],
  ['2030-01-01T14:00:00Z', 'in 2 hr.'],
  ['2030-01-01T12:00:00Z', 'just now'],
  ['2030-01-01T11:55:00Z', '5 min. ago'],
  [undefined, ''],
])('what is due at %s is due %s', (text, expected) => {
  expect(dueTime(text, Date.parse('2030-01-01T12:00:00Z'))).toBe(expected);
});

it.each([
  [500, 'just now'],
  [12_000, '12 sec. ago'],
  [61_000, '1 min. ago'],
  [-5_000, 'just now'],
])('what happened %i ms ago is shown to the second', (agoMs, text) => {
  const now = Date.parse('2030-01-01T00:00:00Z');
  expect(exactRelativeTime(new Date(now - agoMs).toISOString(), now)).toBe(text);
});
