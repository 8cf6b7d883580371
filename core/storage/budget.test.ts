import type { StoredKind } from '../api/resources/records/storedBytes.ts';
import { type Holding, mib, storageRefusal } from './budget.ts';

const quota = { workspaceStoredMiB: 256, storedMiB: 1024, workspaceCachedMiB: 256, cachedMiB: 1024 };
const holding = (
  sizeMiB: number,
  account = 'ann',
  kinds: Partial<Record<StoredKind, number>> = {},
): Holding => ({
  account,
  bytes: sizeMiB * mib,
  kinds,
});
const refusal = (holdings: Record<string, Holding>, namespace: string, addedMiB: number) =>
  storageRefusal(quota, new Map(Object.entries(holdings)), { namespace, bytes: addedMiB * mib });

test('a workspace may fill its budget, and not a byte more', () => {
  expect(refusal({ a: holding(255) }, 'a', 1)).toBeUndefined();
  expect(refusal({ a: holding(255) }, 'a', 1.001)).toMatch(/exceed its budget of 256 MiB/);
});

test('a refusal names the budget, what uses most of it, and the remedy', () => {
  const kinds = { secrets: 40 * mib, recordings: 201.26 * mib, records: 1 };
  expect(refusal({ a: holding(256, 'ann', kinds) }, 'a', 1)).toBe(
    'the workspace stores 256 MiB, and this would exceed its budget of 256 MiB (chart value quota.workspaceStoredMiB). ' +
      'Most of it: recordings (201.3 MiB), secrets (40 MiB). Remedy: delete recordings, or ask for a larger budget',
  );
});

test('a workspace that was not counted yet may store within its budget', () => {
  expect(refusal({}, 'new', 256)).toBeUndefined();
  expect(refusal({}, 'new', 257)).toMatch(/budget of 256 MiB/);
});

test('the workspaces of an account have a quarter of the installation together, however many they are', () => {
  const many = Object.fromEntries(Array.from({ length: 16 }, (_, index) => [`a${index}`, holding(16)]));
  expect(refusal(many, 'a0', 1)).toMatch(/part of 256 MiB of the installation's budget/);
  expect(refusal({ ...many, b: holding(1, 'ben') }, 'b', 200)).toBeUndefined();
});

test('when the installation is full, those above their share are refused, and the others get theirs', () => {
  // Four accounts: half of the installation is 128 MiB for each.
  const full = {
    a: holding(256, 'ann'),
    b: holding(256, 'ben'),
    c: holding(256, 'cleo'),
    d: holding(64, 'dan'),
  };
  const nearly = { ...full, c: holding(255, 'cleo') };
  expect(refusal(nearly, 'c', 1)).toBeUndefined();
  expect(refusal(full, 'd', 64)).toBeUndefined();
  expect(refusal({ ...full, d: holding(128, 'dan'), e: holding(127, 'eve') }, 'd', 2)).toMatch(
    /budget of the installation is used up \(1024 MiB.*128 MiB this account has more than its share of 102.4 MiB/,
  );
});

test('the sum never exceeds the budget of the installation, whoever stores first', () => {
  const names = Array.from({ length: 12 }, (_, index) => `w${index}`);
  const holdings = new Map(names.map((name) => [name, holding(0, `of ${name}`)]));
  for (let round = 0; round < 300; round++) {
    for (const namespace of names) {
      const own = holdings.get(namespace);
      if (!own || storageRefusal(quota, holdings, { namespace, bytes: mib })) continue;
      holdings.set(namespace, { ...own, bytes: own.bytes + mib });
    }
  }
  const sum = [...holdings.values()].reduce((total, { bytes }) => total + bytes, 0);
  expect(sum).toBeLessThanOrEqual(1024 * mib);
  expect(sum).toBeGreaterThan(1000 * mib);
});

test.each([
  ['its own workspace', { a: holding(300) }],
  ['the account', { a: holding(200), b: holding(200) }],
])('more than the budget from before an upgrade refuses new data alone: %s', (_what, holdings) => {
  expect(refusal(holdings, 'a', 1)).toBeDefined();
});

const narrow = { ...quota, workspaceCachedMiB: 32, cachedMiB: 64 };
const cachedRefusal = (holdings: Record<string, Holding>, namespace: string, isCached = true) =>
  storageRefusal(narrow, new Map(Object.entries(holdings)), { namespace, bytes: mib, isCached });
const keeping = (secrets: number, account = 'ann') => ({
  ...holding(secrets + 100, account, { secrets: secrets * mib, recordings: 100 * mib }),
  cached: { secrets: secrets * mib },
});

test('what processes keep in memory has a budget of its own, for a workspace', () => {
  expect(cachedRefusal({ a: keeping(31) }, 'a')).toBeUndefined();
  expect(cachedRefusal({ a: keeping(32) }, 'a')).toBe(
    'the workspace stores 32 MiB that processes keep in memory, and this would exceed its budget of 32 MiB ' +
      '(chart value quota.workspaceCachedMiB). Most of it: secrets (32 MiB). Remedy: delete secrets, or ask for a larger budget',
  );
  expect(cachedRefusal({ a: keeping(32) }, 'a', false)).toBeUndefined();
});

test('and for the installation, in which an account has its part', () => {
  expect(cachedRefusal({ a: keeping(16), b: keeping(16) }, 'a')).toMatch(
    /of this account store 32 MiB that processes keep in memory together, .* part of 32 MiB .*quota\.cachedMiB/,
  );
  const full = { a: keeping(31), b: keeping(20, 'ben'), c: keeping(13, 'cleo') };
  expect(cachedRefusal(full, 'a')).toMatch(/budget of the installation is used up \(64 MiB that/);
  expect(cachedRefusal({ ...full, d: holding(0, 'dan') }, 'd')).toBeUndefined();
});
