import { isPlainHttp } from './plainHttp.ts';

it.each([
  ['TLS', 'https://slipway.example.com', false],
  ['no TLS', 'http://slipway.example.com', true],
  ['no TLS on a port', 'http://192.0.2.1:8080', true],
  ['this machine only', 'http://127.0.0.1:8080', false],
  ['this machine by name', 'http://localhost:8080', false],
  ['inside the cluster', 'http://slipway.slipway-system.svc', false],
  ['inside the cluster by its full name', 'http://slipway.slipway-system.svc.cluster.local:8080', false],
])('the public URL has %s: %s', (_reason, url, expected) => {
  expect(isPlainHttp(url)).toBe(expected);
});
