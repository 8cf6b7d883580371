import { AppError, messageOf, refusalWith } from './errors.ts';
import { maxForeignText } from './text/foreignText.ts';

it('a refusal names each field and what is wrong with it', () => {
  const details = [
    { path: 'a.b', message: 'required' },
    { path: '', message: 'is not an object' },
  ];
  const { reason, message, details: shown } = refusalWith('the request is invalid', details);
  expect([reason, message]).toEqual([
    'BadRequest',
    'the request is invalid: a.b: required; is not an object',
  ]);
  expect(shown).toEqual(details);
});

it.each([
  ['many fields', 50_000, 'path', 'message'],
  ['long names', 100, 'p'.repeat(1_000_000), 'message'],
  ['long texts', 100, 'path', 'm'.repeat(1_000_000)],
])('a refusal of %s stays small', (_what, length, path, message) => {
  const refusal = refusalWith('the request is invalid', Array(length).fill({ path, message }));
  expect(refusal.details).toHaveLength(100);
  expect(refusal.message.length).toBeLessThanOrEqual(2000);
  expect(JSON.stringify(refusal.details).length).toBeLessThan(300_000);
});

it('a message that quotes what somebody else wrote is bounded', () => {
  const long = 'x'.repeat(1_000_000);
  expect(new AppError('BadRequest', `the node answered: ${long}`).message).toHaveLength(maxForeignText);
  expect(messageOf(new Error(long))).toHaveLength(maxForeignText);
  expect(messageOf(long)).toHaveLength(maxForeignText);
});
