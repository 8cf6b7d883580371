import { redact, redactBounded } from './redact.ts';
import { cpuTimeMs } from './testing/cpuTime.ts';
import { growthOf, tooMuchGrowth } from './testing/growth.ts';
import { cut, maxForeignText } from './text/foreignText.ts';

const key = 'abcdefghijklmnopqrstuv_-';
const uid = '7c2f0b54-4a1e-4d0e-9d59-3f3a1f0c2b11';

it.each([
  ['an access key', `GET /rpc/${uid}/${key}/admin failed`, `GET /rpc/${uid}/(redacted)/admin failed`],
  ['an access key at the end', `wss://x/rpc/${uid}/${key}`, `wss://x/rpc/${uid}/(redacted)`],
  ['the token of a fork', `http://x/forks/Base/ws/${uid}/${key}`, `http://x/forks/Base/ws/${uid}/(redacted)`],
  [
    'the same without a workspace',
    `http://x/forks/Base/${uid}/${key}`,
    `http://x/forks/Base/${uid}/(redacted)`,
  ],
  [
    'the source of a workspace',
    `http://x/forks/Base/ws/${uid}/own/${key}${key} failed`,
    `http://x/forks/Base/ws/${uid}/own/(redacted) failed`,
  ],
  [
    'the same without a workspace in the path',
    `http://x/forks/Base/${uid}/own/${key}${key} failed`,
    `http://x/forks/Base/${uid}/own/(redacted) failed`,
  ],
  [
    'the key in a host name',
    `host rpc-${'0a'.repeat(16)}-${'a2'.repeat(10)}.nets.example`,
    `host rpc-${'0a'.repeat(16)}-(redacted).nets.example`,
  ],
  ['sealed data', 'value "slipway:v2:k1:AbC-_:dEf" is', 'value "slipway:v2:k1:(redacted)" is'],
  ['a token', 'header Authorization: Bearer k1.s-ecr_et', 'header Authorization: Bearer (redacted)'],
  ['a password in a URL', 'connect to https://me:pass@host/path', 'connect to https://(redacted)@host/path'],
  ['a password of any length', `https://me:${'p'.repeat(3000)}@host`, 'https://(redacted)@host'],
])('removes %s', (_what, text, expected) => {
  expect(redact(text)).toBe(expected);
});

it.each([
  ['a transaction hash', `0x${'ab'.repeat(32)}`],
  ['a URL without credentials', 'http://10.0.0.1:8545/ and https://x/a@b'],
  ['the path of REST', `/v1alpha/networks/${uid}/endpoints`],
])('keeps %s', (_what, text) => {
  expect(redact(text)).toBe(text);
});

describe('a text that was cut', () => {
  const hex = '0a'.repeat(16);
  it.each([
    ['an access key', `GET /rpc/${uid}/`, key, '/admin failed'],
    ['the token of a fork', `http://x/forks/Base/ws/${uid}/`, key, ' failed'],
    ['the source of a workspace', `http://x/forks/Base/ws/${uid}/own/`, `${key}${key}`, ' failed'],
    ['the key in a host name', `host rpc-${hex}-`, 'a2'.repeat(10), '.nets.example'],
    ['sealed data', 'value "slipway:v2:k1:', 'Kj8-_:dEfGh', '" is'],
    ['a token', 'header Authorization: Bearer ', 'k1.s-ecr_et', ' is'],
    ['a password in a URL', 'connect to https://', 'me:passw0rd', '@host/path'],
  ])('has nothing of %s, wherever the cut is', (_what, before, secret, after) => {
    const text = `${before}${secret}${after}`;
    for (let length = before.length + 1; length <= text.length + 1; length++) {
      expect(redact(cut(text, length))).not.toContain(`${before.slice(-6)}${secret.slice(0, 1)}`);
    }
  });

  it('is cut before it is searched: a secret at the cut leaves nothing', () => {
    const before = `${'x'.repeat(maxForeignText - 80)} /rpc/${uid}/`;
    const shown = redact(`${before}${key}/admin ${'y'.repeat(100_000)}`);
    expect(shown.length).toBeLessThanOrEqual(maxForeignText);
    expect(redact(`${'x'.repeat(maxForeignText - 60)} /rpc/${uid}/${key}`)).not.toContain(key.slice(0, 2));
  });
});

describe('takes time in proportion to the text', () => {
  it.each([
    ['schemes without an end', 'a.', '://'],
    ['beginnings of URLs', '://a', ''],
    ['beginnings of URLs with users', 'a://b:', ''],
    ['schemes', 'a-', '://x@'],
    ['paths of access keys', '/rpc/a', '/'],
    ['paths of forks', '/forks/a/a/', ''],
    ['paths of own sources', '/forks/a/a/a/own/a', ''],
    ['host names', 'a-', ''],
    ['digits of host names', `a-${'0'.repeat(31)}`, ''],
    ['sealed data', 'slipway:v1:', ''],
    ['credentials', 'Bearer ', ''],
    ['credentials in a row', 'bearer basic ', ''],
    ['marks of a cut', '://a…', ''],
  ])('%s', (_what, repeated, end) => {
    const textOf = (length: number) =>
      `://${repeated.repeat(Math.ceil(length / repeated.length)).slice(0, length)}${end}`;
    expect(growthOf((length) => () => redactBounded(textOf(length)))).toBeLessThan(tooMuchGrowth);
  });
});

it('a text of any length is answered at once, with a text that fits into a message', () => {
  const text = `at ://${' a.'.repeat(5_000_000)}`;
  const startMs = cpuTimeMs();
  expect(redact(text)).toHaveLength(maxForeignText);
  expect(cpuTimeMs() - startMs).toBeLessThan(500);
});
