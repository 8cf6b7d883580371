import { isMarked } from '../accounts/accessKeys.ts';
import { endpointUrls } from './endpointUrls.ts';
import { parseServiceHost, serviceHostOf } from './serviceHosts.ts';

const id = '7c2f0b54-4a1e-4d0e-9d59-3f3a1f0c2b11';
const scope = { id, namespace: 'ws' };
const options = {
  publicUrl: 'https://slipway.example:8443',
  serviceDomain: 'services.example',
  key: Buffer.alloc(32, 1),
  scope,
  access: 'public',
  epoch: 0,
} as const;

it('a service that has a host name keeps its path', () => {
  const urls = endpointUrls(['dfns', 'dfns-host', 'ws'], options);
  expect(urls).toEqual({
    dfns: expect.stringMatching(/^https:\/\/slipway\.example:8443\/rpc\/7c2f0b54-[^/]+\/[^/]{24}\/dfns$/),
    'dfns-host': expect.stringMatching(
      /^https:\/\/dfns-7c2f0b544a1e4d0e9d593f3a1f0c2b11-[a-z2-7]{20}\.services\.example:8443$/,
    ),
    ws: expect.stringMatching(/^wss:/),
  });
});

it.each([
  ['the path', { access: 'admin' }],
  ['another epoch', { epoch: 1 }],
  ['another network', { scope: { id: id.replace('7', '8'), namespace: 'ws' } }],
  ['a network of that id in another namespace', { scope: { id, namespace: 'other' } }],
  ['a network with the former form', { scope: { id } }],
] as const)('its key differs from that of %s', (_what, change) => {
  const keyOf = (url = '') => /-([a-z2-7]{20})\./.exec(url)?.[1];
  const [own, other] = [options, { ...options, ...change }].map((one) => endpointUrls(['dfns-host'], one));
  expect(keyOf(own?.['dfns-host'])).not.toBe(keyOf(other?.['dfns-host']));
});

const former = { id };
const keysIn = (urls: Record<string, string>) => [
  urls.dfns?.split('/')[5],
  /-([a-z2-7]{20})\./.exec(urls['dfns-host'] ?? '')?.[1],
];
it.each([
  ['former, public', { scope: former }, '08waG-8GfCsREkFiuE0uIT6Q', 'erqj67susfntpmq2idrq'],
  ['former, admin', { scope: former, access: 'admin' }, 'X34q3Dvo6YVgWeaaye6iZDk3', 'xgkdzuntgw2pc7b3lepa'],
  ['former, rotated', { scope: former, epoch: 1 }, 'YIkh1rxZSbhlwaOxXhSm02kv', 'wafmcskdikrmbdfyar3q'],
  ['today, public', {}, 'xOE-jPg7f7duX7KEdF1vQMIC', 'ytqtbzsvju7d5sncggs5'],
  ['today, admin', { access: 'admin' }, 'xOE-VXGdRJRaaS_GrAa0iPTU', 'ytqtyaldeqsdmdtl2gpj'],
  ['today, rotated', { epoch: 1 }, 'xOE-aDi3wut2uB9gIWVQO4LJ', 'ytqtjzh4cimxsyz3i3n2'],
] as const)('keys stay what they are, in paths and in host names: %s', (_case, change, inPath, inHost) => {
  expect(keysIn(endpointUrls(['dfns', 'dfns-host'], { ...options, ...change }))).toEqual([inPath, inHost]);
});

it.each([
  ['in a path', false, 0],
  ['in a host name', true, 1],
] as const)('a key %s has the mark of its id, and of no other one', (_where, isHosted, at) => {
  const { key } = options;
  const own = keysIn(endpointUrls(['dfns', 'dfns-host'], options))[at] ?? '';
  const formerOne = keysIn(endpointUrls(['dfns', 'dfns-host'], { ...options, scope: former }))[at] ?? '';
  expect(isMarked(key, own, { id, isHosted })).toBe(true);
  expect(isMarked(key, own, { id: id.replace('7', '8'), isHosted })).toBe(false);
  expect(isMarked(key, own, { id, isHosted: !isHosted })).toBe(false);
  expect(isMarked(Buffer.alloc(32, 2), own, { id, isHosted })).toBe(false);
  expect(isMarked(key, formerOne, { id, isHosted })).toBe(false);
});

it('without a domain there are no host names', () => {
  expect(Object.keys(endpointUrls(['dfns', 'dfns-host'], { ...options, serviceDomain: '' }))).toEqual([
    'dfns',
  ]);
});

it('a host name names its network and service in one label', () => {
  const host = { service: 'chainlink', id, key: 'a2'.repeat(10) };
  const name = serviceHostOf(host, 'services.example');
  expect(name.split('.')[0]).toHaveLength(63);
  expect(parseServiceHost(`${name}:443`, 'services.example')).toEqual(host);
});
