import { secretType } from '../../api/resources/resources.ts';
import { growthOf, tooMuchGrowth } from '../../lib/testing/growth.ts';
import { toAppError } from './apiError.ts';

const secret = 'c2VjcmV0IHZhbHVl';

/** What a caller sees of a message of kube-apiserver about a Secret. */
function shown(message: string): string {
  const status = {
    kind: 'Status',
    reason: 'Invalid',
    message,
    code: 422,
    details: { causes: [{ field: 'data', message }] },
  };
  const error = toAppError({ type: secretType, statusCode: 422, status });
  return [error.message, ...error.details.map((detail) => detail.message)].join(' ');
}

it.each([
  ['in quotes', `data: Invalid value: "${secret}": must be short`],
  ['in quotes with escapes', `data: Invalid value: "\\"${secret}\\\\": must be short`],
  ['in other quotes', `data: \`${secret}\` and '${secret}' are wrong`],
  ['without an end of its quotes', `data is "${secret}`],
  ['with a backslash at the end', `data is "${secret}\\`],
  ['in what cannot be decoded', `error found in #10 byte of ...|${secret}|...`],
  ['without quotes', `data: Invalid value: ${secret}: must be short`],
])('a value of a secret is not repeated: %s', (_where, message) => {
  expect(shown(message)).not.toContain(secret);
});

it.each(['"', '`', "'"])('nor where the message is cut in the middle of %s', (quote) => {
  for (let length = 1900; length <= 2000; length++) {
    const message = `${'x'.repeat(length)} ${quote}${secret}${quote} is wrong`;
    expect(shown(message)).not.toContain(secret.slice(0, 4));
  }
});

it('an apostrophe hides nothing of a message that is whole', () => {
  expect(shown("the object can't be changed: it is in use")).toContain('it is in use');
});

it.each(['\\"', '"', "'", '`', 'Invalid value: '])('a message of %s takes linear time', (part) => {
  const textOf = (length: number) => `"${part.repeat(Math.ceil(length / part.length))}`;
  expect(growthOf((length) => () => shown(textOf(length)))).toBeLessThan(tooMuchGrowth);
});

it('a request that comes before the server knows the kinds of its policies is to be repeated', () => {
  const message =
    "secrets.slipway.dev \"demo-key\" is forbidden: ValidatingAdmissionPolicy 'slipway-storage' with binding 'slipway-storage' denied request: " +
    "failed to configure policy: failed to find resource referenced by paramKind: 'slipway.dev/v1alpha1, Kind=UsageRecord'";
  const status = { kind: 'Status', reason: 'Invalid', message, code: 422 };
  expect(toAppError({ type: secretType, statusCode: 422, status })).toMatchObject({
    reason: 'Unavailable',
    message: 'kube-apiserver does not know the kinds of its admission policies yet; retry',
    retryAfterSeconds: 1,
  });
});
