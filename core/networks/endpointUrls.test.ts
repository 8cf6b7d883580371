import { endpointUrls } from './endpointUrls.ts';
import { parseServiceHost, serviceHostOf } from './serviceHosts.ts';

const networkUid = '7c2f0b54-4a1e-4d0e-9d59-3f3a1f0c2b11';
const options = {
  ...{ publicUrl: 'https://slipway.example:8443', serviceDomain: 'services.example' },
  ...({ key: Buffer.alloc(32, 1), networkUid, access: 'public', epoch: 0 } as const),
};

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
  ['another network', { networkUid: networkUid.replace('7', '8') }],
] as const)('its key differs from that of %s', (_what, change) => {
  const keyOf = (url = '') => /-([a-z2-7]{20})\./.exec(url)?.[1];
  const [own, other] = [options, { ...options, ...change }].map((one) => endpointUrls(['dfns-host'], one));
  expect(keyOf(own?.['dfns-host'])).not.toBe(keyOf(other?.['dfns-host']));
});

it('without a domain there are no host names', () => {
  expect(Object.keys(endpointUrls(['dfns', 'dfns-host'], { ...options, serviceDomain: '' }))).toEqual([
    'dfns',
  ]);
});

it('a host name names its network and service in one label', () => {
  const host = { service: 'chainlink', networkUid, key: 'a2'.repeat(10) };
  const name = serviceHostOf(host, 'services.example');
  expect(name.split('.')[0]).toHaveLength(63);
  expect(parseServiceHost(`${name}:443`, 'services.example')).toEqual(host);
});
