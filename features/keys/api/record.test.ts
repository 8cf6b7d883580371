import { type KeyEntry, raisedRecord } from './record.ts';

const at = '2026-01-01T00:00:00Z';
const entry = (uid: string, epoch: number): KeyEntry => ({ uid, network: 'n', epoch, at });

const there = (uid?: string, first = 0) => ({ first, uidOf: () => uid });

describe('a restore over a record that is there', () => {
  it.each([
    ['the same key, which another tool gave another uid', entry('former', 1), 'new', 1],
    ['the same key, which an interrupted restore wrote', entry('new', 1), 'new', 1],
    ['a key of this name that came after others', entry('new', 7), 'new', 7],
    ['a key that was revoked', entry('former', 7), undefined, 8],
    ['one that was revoked before the one that is there begins', entry('other', 7), 'new', 8],
    ['what an older state of the cluster knew', entry('other', 0), undefined, 1],
  ])('brings no revoked key back: %s', (_which, now, uid, epoch) => {
    const spec = raisedRecord({ keys: { ci: entry('former', 1) } }, { keys: { ci: now } }, there(uid));
    expect(spec).toEqual({ keys: { ci: entry('former', epoch) } });
  });

  it('keeps what the backup does not know, and begins after what was summed up', () => {
    const live = { keys: { later: entry('l', 3) }, floor: 9 };
    const former = { keys: { ci: entry('c', 1), last: entry('d', 12) }, floor: 2 };
    expect(raisedRecord(former, live, there())).toEqual({
      keys: { later: entry('l', 3), ci: entry('c', 9), last: entry('d', 12) },
      floor: 9,
    });
  });

  it.each([
    ['has none', undefined],
    ['has another one', { keys: { later: entry('l', 100) } }],
  ])('begins with the namespace, if that was created again and %s', (_which, live) => {
    const former = { keys: { ci: entry('c', 1), last: entry('d', 120) } };
    expect(raisedRecord(former, live, there(undefined, 100))).toEqual({
      keys: { ...live?.keys, ci: entry('c', 100), last: entry('d', 120) },
    });
  });
});
