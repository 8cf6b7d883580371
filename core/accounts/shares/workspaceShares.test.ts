import { readWorkspaceShares, renderWorkspaceShares } from './workspaceShares.ts';

const defaultWorkspace = { id: 'default', namespace: 'ws' };
const owned = (name: string, ...owners: string[]) => ({
  metadata: { namespace: 'slipway-system', name },
  spec: { name, owners },
});
const sharesOf = (...workspaces: ReturnType<typeof owned>[]) => {
  const text = renderWorkspaceShares(workspaces, defaultWorkspace);
  return { text, shareOf: readWorkspaceShares(text) };
};

it('gives all workspaces of their first owner one share, and every other one its own', () => {
  const { shareOf } = sharesOf(
    owned('one', 'greedy'),
    owned('two', 'greedy', 'modest'),
    owned('three', 'modest', 'greedy'),
    owned('default', 'greedy'),
  );
  expect(shareOf('slipway-two')).toBe(shareOf('slipway-one'));
  expect(shareOf('ws')).toBe(shareOf('slipway-one'));
  expect(shareOf('slipway-three')).toBe('workspace/slipway-three');
  expect(shareOf('slipway-unknown')).toBe('workspace/slipway-unknown');
});

it('names no account, and is the same text whatever the order', () => {
  const all = [owned('one', 'u-greedy'), owned('two', 'u-greedy'), owned('a', 'u-b'), owned('c', 'u-b')];
  const { text } = sharesOf(...all);
  expect(text).not.toMatch(/u-greedy|u-b/);
  expect(sharesOf(...all.toReversed()).text).toBe(text);
});

it('has room for those who own most, and stays below the size of an object', () => {
  const many = Array.from({ length: 20_000 }, (_, at) =>
    owned(`${String(at).padStart(5, '0')}${'w'.repeat(50)}`, `owner-${Math.floor(at / 2)}`),
  );
  const most = Array.from({ length: 21 }, (_, at) => owned(`most-${at}`, 'greedy'));
  const { text, shareOf } = sharesOf(...many, ...most);
  expect(text.length).toBeLessThan(1024 * 1024);
  expect(shareOf('slipway-most-20')).toBe(shareOf('slipway-most-0'));
});

it('a workspace without an owner has its own', () => {
  expect(sharesOf(owned('one'), owned('two')).text).toBe('{}');
});

it.each(['', '[]', '{"a":1}'])('refuses another text: %s', (text) => {
  expect(() => readWorkspaceShares(text)).toThrow();
});
