import { AppError } from '../../lib/errors.ts';
import { growthOf, tooMuchGrowth } from '../../lib/testing/growth.ts';
import { budgetRefusal } from './applyFailure.ts';

const refusalOf = (message: string) => budgetRefusal(new AppError('Forbidden', message));

it.each([
  [
    'a quota',
    'pods "a" is forbidden: exceeded quota: slipway, requested: pods=1, used: pods=9, limited: pods=9',
    'exceeded quota: slipway, requested: pods=1, used: pods=9, limited: pods=9',
  ],
  [
    'a quota that needs limits',
    'pods "a" is forbidden: failed quota: slipway: must specify limits.cpu',
    'failed quota: slipway: must specify limits.cpu',
  ],
  [
    'a range',
    'pods "a" is forbidden: maximum memory usage per Container is 1Gi, but limit is 2Gi',
    'maximum memory usage per Container is 1Gi, but limit is 2Gi',
  ],
])('finds what admission says about %s', (_what, message, expected) => {
  expect(refusalOf(message)).toBe(expected);
});

it.each([
  ['another refusal', 'pods "a" is forbidden: no rights'],
  ['the name of a range alone', 'pods "a" is forbidden: the maximum is not known'],
])('finds nothing in %s', (_what, message) => {
  expect(refusalOf(message)).toBeUndefined();
});

it('takes linear time', () => {
  const error = (length: number) => {
    const refused = new AppError('Forbidden', '');
    refused.message = 'maximum '.repeat(length / 8);
    return refused;
  };
  expect(growthOf((length) => () => budgetRefusal(error(length)))).toBeLessThan(tooMuchGrowth);
});
