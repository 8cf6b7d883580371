import { createAnswerCache } from './answers.ts';

function create(maxBytes: number) {
  let nowMs = 0;
  const sizes: number[] = [];
  const cache = createAnswerCache({
    maxBytes,
    clock: { nowMs: () => nowMs },
    onSize: (bytes) => sizes.push(bytes),
  });
  return {
    cache,
    sizes,
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}

const answer = (text: string, { lifetimeMs = 1_000, share = 'one' } = {}) => ({
  text,
  lifetimeMs,
  share,
});

it('never keeps more bytes than allowed, and evicts what was used least recently', () => {
  const { cache, sizes } = create(20_000);
  for (let index = 0; index < 100; index += 1) {
    cache.set(`key ${index}`, answer('x'.repeat(100)));
    cache.get('key 0');
  }
  expect(Math.max(...sizes)).toBeLessThanOrEqual(20_000);
  expect([cache.get('key 0'), cache.get('key 1'), cache.get('key 99')]).toEqual([
    'x'.repeat(100),
    undefined,
    'x'.repeat(100),
  ]);
});

it('keeps what others read when one account reads much', () => {
  const { cache, sizes } = create(20_000);
  for (const share of ['two', 'three']) cache.set(`of ${share}`, answer('text', { share }));
  for (let index = 0; index < 100; index += 1) cache.set(`key ${index}`, answer('x'.repeat(100)));
  expect(Math.max(...sizes)).toBeLessThanOrEqual(20_000);
  expect([cache.get('of two'), cache.get('of three'), cache.get('key 0')]).toEqual([
    'text',
    'text',
    undefined,
  ]);
});

it('gives an account that comes later its part of what one has filled', () => {
  const { cache } = create(20_000);
  for (let index = 0; index < 100; index += 1) cache.set(`key ${index}`, answer('x'.repeat(100)));
  const own = Array.from({ length: 10 }, (_, index) => `own ${index}`);
  for (const key of own) cache.set(key, answer('x'.repeat(100), { share: 'two' }));
  expect(own.map((key) => cache.get(key)?.length)).toEqual(own.map(() => 100));
});

it('forgets an answer at its end, with its bytes', () => {
  const { cache, sizes, pass } = create(20_000);
  cache.set('key', answer('text'));
  pass(999);
  expect(cache.get('key')).toBe('text');
  pass(1);
  expect([cache.get('key'), sizes.at(-1)]).toEqual([undefined, 0]);
});

it('counts an answer once that is set again', () => {
  const { cache, sizes } = create(20_000);
  cache.set('key', answer('text'));
  cache.set('key', answer('text'));
  expect(sizes.at(-1)).toBe(sizes.at(0));
});

it.each([
  ['is not true any more', 'text', 0],
  ['would take the place of too many others', 'x'.repeat(1_000), 1_000],
])('does not keep an answer that %s', (_reason, text, lifetimeMs) => {
  const { cache } = create(20_000);
  cache.set('key', answer(text, { lifetimeMs }));
  expect(cache.get('key')).toBeUndefined();
});
