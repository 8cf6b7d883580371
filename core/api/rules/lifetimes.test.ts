import { installationSchema } from '../installation.ts';
import { aNetwork } from '../testing/builders.ts';
import { expiryOf, idleMsOf, refuseLifetimes, refusePastExpiry } from './lifetimes.ts';

const limits = installationSchema.parse({
  publicUrl: 'http://gateway',
  defaultWorkspace: { id: 'default', namespace: 'ws' },
  idle: { afterSeconds: 3600, maxAfterSeconds: 7200 },
  expiry: { maxAfterSeconds: 86_400 },
});
const created = '2030-01-02T03:00:00Z';
const createdMs = Date.parse(created);
const hourMs = 3_600_000;

function withSpec(more: object) {
  const network = aNetwork();
  const metadata = { ...network.metadata, creationTimestamp: created };
  return { ...network, metadata, spec: { ...network.spec, ...more } };
}

test.each([
  ['what the installation has by default', {}, hourMs],
  ['what the spec says', { idleAfter: '90s' }, 90_000],
  ['the limit of the installation', { idleAfter: '1000h' }, 2 * hourMs],
])('a network may be idle for %s', (_what, spec, ms) => {
  expect(idleMsOf(withSpec(spec).spec, limits)).toBe(ms);
});

test.each([
  ['never without expiresAfter', {}, undefined],
  ['when the time since its creation is over', { expiresAfter: '1h30m' }, createdMs + 1.5 * hourMs],
  ['at the limit of the installation', { expiresAfter: '1000h' }, createdMs + 24 * hourMs],
])('a network expires %s', (_when, spec, atMs) => {
  expect(expiryOf(withSpec(spec), limits)?.atMs).toBe(atMs);
});

test('times beyond the limits are refused by field, with the limit and where it is set', () => {
  const { spec } = withSpec({ idleAfter: '3h', expiresAfter: '25h' });
  expect(refuseLifetimes(spec, limits)).toEqual([
    {
      path: 'spec.idleAfter',
      message: '3h is too long: this installation allows 2 h at most (idle.maxAfter)',
    },
    {
      path: 'spec.expiresAfter',
      message: '25h is too long: this installation allows 24 h at most (expiry.maxAfter)',
    },
  ]);
  expect(refuseLifetimes(withSpec({ idleAfter: '2h', expiresAfter: '24h' }).spec, limits)).toEqual([]);
});

test('an expiry that is over is refused', () => {
  const network = withSpec({ expiresAfter: '1h' });
  expect(refusePastExpiry(network, limits, createdMs + hourMs - 1)).toEqual([]);
  expect(refusePastExpiry(network, limits, createdMs + hourMs)).toEqual([
    { path: 'spec.expiresAfter', message: expect.stringContaining('ended at 2030-01-02T04:00:00Z') },
  ]);
});
