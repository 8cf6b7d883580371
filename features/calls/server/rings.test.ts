import { type Call, maxCalls } from '../api/calls.ts';
import { createCallRings } from './rings.ts';

const owner = (uid: string, account = 'a') => ({ uid, account });
const callOf = (index: number, more: Partial<Call> = {}): Call => ({
  id: `r-${index}`,
  time: new Date(Date.parse('2031-01-31T00:00:00Z') + index * 1000).toISOString(),
  service: 'rpc',
  transport: 'http',
  key: 'public',
  method: 'eth_call',
  durationMs: 1,
  ...more,
});
const all = (network: string) => ({ network, isFailedOnly: false, sinceMs: 0, limit: maxCalls });
/** Each call occupies 400 bytes and those of its texts. */
const heavy = { params: 'x'.repeat(300), method: '' };

it('the last thousand calls of a network are kept', () => {
  const rings = createCallRings();
  for (let index = 0; index < maxCalls + 5; index++) rings.add(owner('n'), callOf(index));
  const kept = rings.of(all('n'));
  expect([kept.length, kept[0]?.id, kept.at(-1)?.id]).toEqual([maxCalls, 'r-5', `r-${maxCalls + 4}`]);
});

it('only those are returned that are wanted', () => {
  const rings = createCallRings();
  const error = { message: 'no' };
  for (let index = 0; index < 6; index++) rings.add(owner('n'), callOf(index, index % 2 ? { error } : {}));
  const idsOf = (more: object) => rings.of({ ...all('n'), ...more }).map(({ id }) => id);
  expect(idsOf({ isFailedOnly: true })).toEqual(['r-1', 'r-3', 'r-5']);
  expect(idsOf({ isFailedOnly: true, limit: 1 })).toEqual(['r-5']);
  expect(idsOf({ sinceMs: Date.parse('2031-01-31T00:00:04Z') })).toEqual(['r-4', 'r-5']);
  expect(rings.of(all('other'))).toEqual([]);
});

it('an account over its budget loses the oldest calls of its network with the most', () => {
  const rings = createCallRings({ calls: 10, accountBytes: 5000, bytes: 50_000 });
  rings.add(owner('small'), callOf(0, heavy));
  for (let index = 1; index < 10; index++) rings.add(owner('large'), callOf(index, heavy));
  for (let index = 0; index < 5; index++) rings.add(owner('other', 'b'), callOf(index, heavy));
  const counts = ['small', 'large', 'other'].map((uid) => rings.of(all(uid)).length);
  expect(counts).toEqual([1, 4, 5]);
});

it('the account with the most makes room for all others', () => {
  const rings = createCallRings({ calls: 10, accountBytes: 9000, bytes: 10_000 });
  for (let index = 0; index < 9; index++) rings.add(owner('n', 'a'), callOf(index, heavy));
  for (let index = 0; index < 3; index++) rings.add(owner('m', 'b'), callOf(index, heavy));
  expect([rings.of(all('n')).length, rings.of(all('m')).length]).toEqual([7, 3]);
  expect(rings.bytes()).toBe(10_000);
});

it('what is dropped occupies nothing', () => {
  const rings = createCallRings();
  rings.add(owner('n'), callOf(1, heavy));
  rings.drop('n');
  rings.drop('n');
  expect([rings.of(all('n')), rings.bytes()]).toEqual([[], 0]);
});
