import { detailsOf } from './rules/issues.ts';
import {
  isLabelField,
  readLabel,
  selectableLabels,
  userLabelsIn,
  userLabelsSchema,
  withUserLabels,
} from './userLabels.ts';

const stored = {
  metadata: {
    labels: { team: 'a', 'example.com/stage': 'ci', 'slipway.dev/owner': 'ann', 'x.slipway.dev/y': '1' },
  },
};

test.each([
  ['a plain key', { team: 'a' }],
  ['a key with a prefix', { 'example.com/team_1.x': 'A-b_c.9' }],
  ['a recommended key of Kubernetes', { 'app.kubernetes.io/name': 'shop' }],
  ['an empty value', { team: '' }],
  ['a prefix that only ends like ours', { 'myslipway.dev/team': 'a' }],
])('accepts %s', (_what, labels) => {
  expect(userLabelsSchema.safeParse(labels).success).toBe(true);
});

test.each([
  ['a key of Slipway', { 'slipway.dev/owner': 'eve' }, 'slipway.dev/owner'],
  ['a key below that', { 'x.slipway.dev/team': 'a' }, 'x.slipway.dev/team'],
  ['an empty prefix', { '/team': 'a' }, '/team'],
  ['two prefixes', { 'a.b/c/d': 'a' }, 'a.b/c/d'],
  ['a prefix in upper case', { 'Example.com/team': 'a' }, 'Example.com/team'],
  ['a name of 64 characters', { ['a'.repeat(64)]: 'a' }, 'a'.repeat(64)],
  ['a prefix of 254 characters', { [`${'a'.repeat(254)}/b`]: 'a' }, 'a'.repeat(100)],
  ['a blank in a value', { team: 'a b' }, 'team'],
  ['a value of 64 characters', { team: 'a'.repeat(64) }, 'team'],
  ['65 labels', Object.fromEntries([...Array(65).keys()].map((at) => [`k${at}`, ''])), ''],
])('refuses %s', (_what, labels, path) => {
  const { error } = userLabelsSchema.safeParse(labels);
  expect([...new Set(error && detailsOf(error).map((detail) => detail.path))]).toEqual([path]);
});

test('a label is found only with a valid key, and those of Slipway are not shown', () => {
  expect(userLabelsIn(stored)).toEqual({ labels: { team: 'a', 'example.com/stage': 'ci' } });
  expect(userLabelsIn({ metadata: { labels: { 'slipway.dev/owner': 'ann' } } })).toEqual({});
  expect(readLabel(stored, 'metadata.labels.example.com/stage')).toBe('ci');
  for (const field of ['metadata.labels.slipway.dev/owner', 'metadata.labels.toString', 'metadata.name']) {
    expect(readLabel(stored, field)).toBeUndefined();
  }
});

test('new labels replace those of users and leave those of Slipway', () => {
  expect(withUserLabels(stored, { stage: 'b' })).toEqual({
    stage: 'b',
    'slipway.dev/owner': 'ann',
    'x.slipway.dev/y': '1',
  });
});

test('a selector may name any label of a list whose objects have labels', () => {
  const fieldsOf = (selectable: string[]) =>
    ['metadata.labels.team', 'metadata.labels.slipway.dev/owner', 'metadata.labels.', 'team'].filter(
      (field) => isLabelField(field, selectable),
    );
  expect(fieldsOf(['type', selectableLabels])).toEqual(['metadata.labels.team']);
  expect(fieldsOf(['type'])).toEqual([]);
});
