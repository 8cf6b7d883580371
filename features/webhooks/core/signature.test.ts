import { randomBytes } from 'node:crypto';
import { isSignedWith, newSigningSecret, parseSigningSecret, signatureHeaders } from './signature.ts';

/** The vector of the Standard Webhooks libraries (standardwebhooks.com, as in the documents of Svix). */
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const published = {
  content: { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1_614_265_330, body: '{"test": 2432232314}' },
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};

it('signs as the published test vector of Standard Webhooks', () => {
  expect(signatureHeaders([parseSigningSecret(secret)], published.content)).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': published.signature,
  });
});

it('a header with two signatures is valid for each of the two secrets, and for no other', () => {
  const [one, two, other] = [1, 2, 3].map(() =>
    parseSigningSecret(newSigningSecret((_, size) => randomBytes(size))),
  );
  const { 'webhook-signature': header = '' } = signatureHeaders([one!, two!], published.content);
  expect([one, two, other].map((key) => isSignedWith(key!, header, published.content))).toEqual([
    true,
    true,
    false,
  ]);
});

it.each([
  ['another body', { body: '{}' }],
  ['another time', { timestamp: 1_614_265_331 }],
  ['another id', { id: 'msg_x' }],
])('a signature is not valid for %s', (_name, change) => {
  const key = parseSigningSecret(secret);
  expect(isSignedWith(key, published.signature, { ...published.content, ...change })).toBe(false);
});

it.each([
  ['no prefix', 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  ['too few bytes', `whsec_${Buffer.alloc(23).toString('base64')}`],
  ['too many bytes', `whsec_${Buffer.alloc(65).toString('base64')}`],
  ['no base64', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLa!!'],
  ['nothing', ''],
])('a secret with %s is refused without being quoted', (_name, text) => {
  expect(() => parseSigningSecret(text)).toThrow('use whsec_ and the base64 of 24 to 64 bytes');
});
