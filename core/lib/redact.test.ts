import { redact } from './redact.ts';

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
