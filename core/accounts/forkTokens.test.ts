import { forkPathOf, openForkPath } from './forkTokens.ts';
import { aKeyring } from './testing/keyrings.ts';

const keys = aKeyring('fork key');
const scope = { networkUid: 'u-1', workspace: 'ws', type: 'Base' } as const;
const path = forkPathOf(keys, scope);

it('opens the source of its own chain type for its own network', () => {
  expect(openForkPath(keys, path)).toEqual(scope);
});

it.each([
  ['another chain type', path.replace('/Base/', '/Ethereum/')],
  ['another network', path.replace('/u-1/', '/u-2/')],
  ['another workspace', path.replace('/ws/', '/other/')],
  ['no workspace', path.replace('/ws/', '/')],
  ['a chain type that does not exist', path.replace('/Base/', '/constructor/')],
  ['another token', `${path.slice(0, -24)}${'A'.repeat(24)}`],
  ['a short token', path.slice(0, -1)],
  ['no token', '/forks/Base/ws/u-1/'],
  ['more path', `${path}/more`],
  ['a query', `${path}?a=b`],
])('does not open %s', (_reason, other) => {
  expect(openForkPath(keys, other)).toBeUndefined();
});

it('opens the paths of engines that an earlier version started, which name no workspace', () => {
  const former = { networkUid: 'u-1', type: 'Base' } as const;
  const formerOwn = { ...former, ownUrl: 'https://node.example/THE-KEY' };
  expect(openForkPath(keys, forkPathOf(keys, former))).toEqual(former);
  expect(openForkPath(keys, forkPathOf(keys, formerOwn))).toEqual(formerOwn);
  expect(openForkPath(keys, forkPathOf(keys, former).replace('/u-1/', '/ws/u-1/'))).toBeUndefined();
});

describe('a source of a workspace', () => {
  const own = { ...scope, ownUrl: 'https://node.example/THE-KEY' };
  const ownPath = forkPathOf(keys, own);
  const sealed = ownPath.split('/').at(-1) ?? '';

  it('is in the path of its network, sealed: the same URL gives the same path', () => {
    expect(openForkPath(keys, ownPath)).toEqual(own);
    expect(forkPathOf(keys, own)).toBe(ownPath);
    expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain('KEY');
  });

  it('has another cipher text for another network and another URL', () => {
    const others = [
      { ...own, networkUid: 'u-2' },
      { ...own, ownUrl: `${own.ownUrl}2` },
    ].map((other) => forkPathOf(keys, other).split('/').at(-1));
    expect(new Set([sealed, ...others].map((text) => text?.slice(0, 16))).size).toBe(3);
  });

  it.each([
    ['of another network', ownPath.replace('/u-1/', '/u-2/')],
    ['of another workspace', ownPath.replace('/ws/', '/other/')],
    ['of another chain type', ownPath.replace('/Base/', '/Ethereum/')],
    ['that was changed', ownPath.replace(sealed, `${sealed.startsWith('A') ? 'B' : 'A'}${sealed.slice(1)}`)],
    ['that was cut off', ownPath.slice(0, -4)],
    ['that holds nothing', `/forks/Base/ws/u-1/own/${'A'.repeat(38)}`],
    ['without the seal', '/forks/Base/ws/u-1/own/'],
  ])('does not open with a path %s', (_reason, other) => {
    expect(openForkPath(keys, other)).toBeUndefined();
  });

  it('opens with a former key as long as it is installed', () => {
    const both = { currentId: 'k2', keys: new Map([['k2', Buffer.from('next key')], ...keys.keys]) };
    expect(openForkPath(both, ownPath)).toEqual(own);
    expect(openForkPath(aKeyring('next key'), ownPath)).toBeUndefined();
  });
});

it('opens with every installed key, and with no other one', () => {
  const next = aKeyring('next key');
  const both = {
    currentId: 'k2',
    keys: new Map([...keys.keys, ['k2', [...next.keys.values()][0] ?? Buffer.alloc(32)]]),
  };
  expect(openForkPath(both, path)).toEqual(scope);
  expect(openForkPath(next, path)).toBeUndefined();
});
