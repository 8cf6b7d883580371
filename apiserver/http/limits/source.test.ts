import type { IncomingMessage } from 'node:http';
import { createSourceOf, currentSource, headersFrom, withSource } from './source.ts';

const request = (remoteAddress: string, forwarded?: string) =>
  ({
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    socket: { remoteAddress },
  }) as unknown as IncomingMessage;

it.each([
  [
    "without a proxy, the header is only the caller's claim",
    0,
    request('192.0.2.1', '198.51.100.7'),
    '192.0.2.1',
  ],
  ['the proxy adds the last address', 1, request('10.0.0.2', '198.51.100.7'), '198.51.100.7'],
  [
    'what the caller wrote itself is ignored',
    1,
    request('10.0.0.2', '1.1.1.1, 198.51.100.7'),
    '198.51.100.7',
  ],
  ['two proxies', 2, request('10.0.0.2', '1.1.1.1, 198.51.100.7, 10.0.0.9'), '198.51.100.7'],
  ['fewer hops than proxies: called from inside', 2, request('10.0.0.2', '10.0.0.9'), '10.0.0.2'],
  ['called from inside, past the proxy', 1, request('10.0.0.2'), '10.0.0.2'],
  ['IPv4 written as IPv6', 0, request('::ffff:192.0.2.1'), '192.0.2.1'],
  ['IPv6: the /64', 0, request('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64'],
  ['IPv6, shortened', 0, request('2001:db8::6'), '2001:db8:0:0::/64'],
  ['IPv6 loopback', 0, request('::1'), '0:0:0:0::/64'],
])('%s', (_reason, proxies, given, source) => {
  expect(createSourceOf(proxies)(given)).toBe(source);
});

it('follows a request through everything that it awaits', async () => {
  const ask = async () => {
    await new Promise(setImmediate);
    return currentSource();
  };
  expect(await Promise.all([withSource('a', ask), withSource('b', ask), ask()])).toEqual(['a', 'b', '']);
});

describe('a request of this process to itself', () => {
  const [[name, value]] = Object.entries(headersFrom('198.51.100.7')) as [[string, string]];
  const from = (text: string) =>
    createSourceOf(0)({ headers: { [name]: text }, socket: { remoteAddress: '127.0.0.1' } } as never);

  it('comes from where its caller is', () => {
    expect(from(value)).toBe('198.51.100.7');
  });

  it.each([
    ['another secret', `${'0'.repeat(64)} 198.51.100.7`],
    ['no secret', '198.51.100.7'],
    ['nothing', ''],
  ])('is not known by %s', (_, text) => {
    expect(from(text)).toBe('127.0.0.1');
  });
});
