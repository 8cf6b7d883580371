import { createManualClock } from '../../core/lib/manualClock.ts';
import { createPlaces } from './places.ts';

const setUp = () => {
  const clock = createManualClock();
  return { clock, places: createPlaces({ most: 2, mostOfAccount: 1, againMs: 1_000, clock }) };
};

it('an account has no more than its places, and all have no more than there are', () => {
  const { places } = setUp();
  const end = places.take('a');
  expect(
    [end, places.take('a'), places.take('b'), places.take('c')].map((place) => place !== undefined),
  ).toEqual([...[true, false, true, false]]);
  end?.();
  expect(places.take('c')).toBeDefined();
});

it('the next place is for whoever found none first, however often the others ask', () => {
  const { places } = setUp();
  const ends = [places.take('a'), places.take('b')];
  expect([places.take('c'), places.take('d')]).toEqual([undefined, undefined]);
  ends[0]?.();
  for (let time = 0; time < 3; time += 1) expect(places.take('a')).toBeUndefined();
  expect(places.take('d')).toBeUndefined();
  const end = places.take('c');
  expect(end).toBeDefined();
  end?.();
  expect(places.take('a')).toBeUndefined();
  expect(places.take('d')).toBeDefined();
});

it('whoever does not ask again in time leaves the line', async () => {
  const { clock, places } = setUp();
  const end = places.take('a');
  places.take('b');
  places.take('c');
  end?.();
  await clock.advance(1_000);
  expect(places.take('a')).toBeUndefined();
  await clock.advance(1);
  expect(places.take('a')).toBeDefined();
});
