import { createManualClock } from '../../../../core/lib/manualClock.ts';
import { type Attempts, createAttempts, createGuesses } from './attempts.ts';

/** Whether an attempt is let in. */
function tryOnce(attempts: Attempts, name: string, source: string, isRight = false): boolean {
  try {
    const succeed = attempts.begin(name, source);
    if (isRight) succeed();
    return true;
  } catch {
    return false;
  }
}

const guessFromMany = (attempts: Attempts, count: number) =>
  Array.from({ length: count }, (_, n) => tryOnce(attempts, 'ann', `bot-${n}`)).filter(Boolean).length;

test('guesses from many sources do not lock out a source that was never wrong', () => {
  const attempts = createGuesses(createManualClock(), 'wait');
  for (let round = 0; round < 20; round += 1) guessFromMany(attempts, 50);
  expect(tryOnce(attempts, 'ann', 'home', true)).toBe(true);
  expect(tryOnce(attempts, 'ann', 'home', true)).toBe(true);
});

test('sources that were wrong wait for ten minutes once there were too many from all', () => {
  const clock = createManualClock();
  const attempts = createGuesses(clock, 'wait');
  expect(guessFromMany(attempts, 50)).toBe(50);
  expect(guessFromMany(attempts, 50)).toBe(0);
  for (let minute = 0; minute < 9; minute += 1) {
    clock.advance(60_000);
    // Somebody else uses up what the account gets back.
    tryOnce(attempts, 'ann', `late-${minute}`);
    expect(tryOnce(attempts, 'ann', 'bot-49')).toBe(false);
  }
});

test('ten wrong attempts from a source for an account leave other accounts and sources alone', () => {
  const clock = createManualClock();
  const attempts = createGuesses(clock, 'wait');
  for (let n = 0; n < 10; n += 1) expect(tryOnce(attempts, 'ann', 'bot')).toBe(true);
  expect(tryOnce(attempts, 'ann', 'bot', true)).toBe(false);
  expect(tryOnce(attempts, 'ben', 'bot')).toBe(true);
  expect(tryOnce(attempts, 'ann', 'home', true)).toBe(true);
});

test('a source that is often wrong is refused for all accounts', () => {
  const attempts = createGuesses(createManualClock(), 'wait');
  for (let n = 0; n < 100; n += 1) tryOnce(attempts, `account-${n}`, 'bot');
  expect(tryOnce(attempts, 'ann', 'bot', true)).toBe(false);
  expect(tryOnce(attempts, 'ann', 'home', true)).toBe(true);
});

test('right attempts count for nobody, however many people share a source', () => {
  const attempts = createGuesses(createManualClock(), 'wait');
  for (let n = 0; n < 500; n += 1) expect(tryOnce(attempts, `person-${n}`, 'office', true)).toBe(true);
});

test('a right attempt forgives none of the wrong ones', () => {
  const attempts = createGuesses(createManualClock(), 'wait');
  for (let n = 0; n < 9; n += 1) tryOnce(attempts, 'ann', 'bot');
  for (let n = 0; n < 5; n += 1) expect(tryOnce(attempts, 'ann', 'bot', true)).toBe(true);
  expect(tryOnce(attempts, 'ann', 'bot')).toBe(true);
  expect(tryOnce(attempts, 'ann', 'bot')).toBe(false);
});

test('an account that guesses what belongs to others gets no more attempts by many sources', () => {
  const attempts = createAttempts(createManualClock(), 'wait');
  expect(guessFromMany(attempts, 50)).toBe(10);
});
