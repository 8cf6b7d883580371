import { createRelyingParty } from './relyingParty.ts';

test.each<[string, string, string, string | undefined]>([
  ['a domain with TLS', 'https://slipway.example', 'https://slipway.example', 'slipway.example'],
  ['another port', 'https://slipway.example:8443/', 'https://slipway.example:8443', 'slipway.example'],
  ['localhost', 'http://localhost:8080', 'http://localhost:8080', 'localhost'],
  [
    'a loopback address, which is localhost too',
    'http://127.0.0.1:8080',
    'http://localhost:8080',
    'localhost',
  ],
  ['the loopback address of IPv6', 'http://[::1]:8080', 'http://localhost:8080', 'localhost'],
  ['an address with TLS, which is not a domain', 'https://192.0.2.1', 'https://192.0.2.1', undefined],
  ['an IPv6 address with TLS', 'https://[2001:db8::1]', 'https://[2001:db8::1]', undefined],
  ['a domain without TLS', 'http://slipway.example', 'http://slipway.example', undefined],
])('%s', (_what, publicUrl, consoleUrl, id) => {
  expect(createRelyingParty(publicUrl)).toEqual({ consoleUrl, origin: new URL(consoleUrl).origin, id });
});
