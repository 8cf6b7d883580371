import { createSessionCookies } from './cookies.ts';

const secure = createSessionCookies('https://slipway.example/console');
const local = createSessionCookies('http://localhost:8080');

it('over TLS the cookie is bound to the host, and pages cannot read it', () => {
  expect(secure.keep('s1.secret')).toBe(
    '__Host-slipway-session=s1.secret; Path=/; HttpOnly; SameSite=Lax; Secure',
  );
});

it('on localhost the cookie has no prefix, which browsers refuse without TLS', () => {
  expect(local.keep('s1.secret')).toBe('slipway-session=s1.secret; Path=/; HttpOnly; SameSite=Lax');
});

it.each<[string, string | undefined, string | undefined]>([
  ['alone', '__Host-slipway-session=s1.secret', 's1.secret'],
  ['among others', 'a=b; __Host-slipway-session=s1.secret; c=d', 's1.secret'],
  ['no cookies', undefined, undefined],
  ['removed', '__Host-slipway-session=', undefined],
  ['twice, of which one is forged', '__Host-slipway-session=s1.x; __Host-slipway-session=s1.y', undefined],
  ['without the prefix, as a plain connection could set it', 'slipway-session=s1.secret', undefined],
])('over TLS, a request with the cookie %s', (_what, cookie, token) => {
  expect(secure.read(cookie === undefined ? {} : { cookie })).toBe(token);
});

it.each<[string, string, Record<string, string>, boolean]>([
  ['a write of the console', 'POST', { 'sec-fetch-site': 'same-origin' }, true],
  ['a write of another site', 'POST', { 'sec-fetch-site': 'cross-site' }, false],
  ['a write of a neighbour in the same domain', 'POST', { 'sec-fetch-site': 'same-site' }, false],
  ['a typed address', 'GET', { 'sec-fetch-site': 'none' }, true],
  ['a write without a page', 'POST', { 'sec-fetch-site': 'none' }, false],
  ['a read of another site', 'GET', { 'sec-fetch-site': 'cross-site' }, false],
  ['a write of an old browser', 'DELETE', { origin: 'https://slipway.example' }, true],
  ['a write of another site in an old browser', 'DELETE', { origin: 'https://evil.example' }, false],
  ['a write that hides its page', 'POST', { origin: 'null' }, false],
  ['a write without any origin', 'POST', {}, false],
  ['a read without any origin', 'GET', {}, true],
])('%s is from a page of the installation or not', (_what, method, headers, isOwn) => {
  expect(secure.isFromOwnPage({ method, headers })).toBe(isOwn);
});
