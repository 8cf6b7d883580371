import { createShares } from './shares.ts';

const owners: Record<string, string[]> = { one: ['ann'], two: ['ann'], team: ['ben', 'ann'] };
const shares = createShares((namespace) => {
  const known = owners[namespace];
  return known && { spec: { name: namespace, owners: known } };
});

test.each([
  ['the workspaces of one owner', 'one', undefined, 'account/ann'],
  ['another workspace of the same owner', 'two', undefined, 'account/ann'],
  ['somebody who is not an owner', 'one', 'cleo', 'account/ann'],
  ['nobody in a workspace of several owners', 'team', undefined, 'account/ben'],
  ['an owner who acts', 'team', 'ann', 'account/ann'],
  ['a workspace that is not known', 'none', 'ann', 'workspace/none'],
])('%s: the share is that of the account', (_who, namespace, actor, share) => {
  expect(shares.of(namespace, actor)).toBe(share);
});

test('workspaces may be known later', () => {
  const late = createShares();
  expect(late.of('one')).toBe('workspace/one');
  late.follow(() => ({ spec: { name: 'one', owners: ['ann'] } }));
  expect(late.of('one')).toBe('account/ann');
});
