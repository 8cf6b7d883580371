import type { NetworkResource } from '../../../core/api/resources/network.ts';
import type { NetworkStatus } from '../../../core/api/resources/networkStatus.ts';
import { networkType } from '../../../core/api/resources/resources.ts';
import type { EventContent } from '../../../core/kube/events/recorder.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { createFakeKube } from '../../../core/kube/testing/fake/fake.ts';
import { decide } from '../decide/decide.ts';
import { eventsOf } from '../status/events.ts';
import { aNetwork, anInstallation, aPod, factsOf, readyStatus } from '../testing/facts.ts';
import { deleteExpired } from './expiry.ts';

const createdMs = Date.parse('2030-01-02T03:00:00Z');
const minuteMs = 60_000;
const at = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`;

function expiring(expiresAfter: string, status: NetworkStatus = {}): Stored<NetworkResource> {
  const network = aNetwork();
  return { ...network, spec: { ...network.spec, expiresAfter }, status };
}

const decided = (network: Stored<NetworkResource>, afterMs: number) =>
  decide(factsOf(network, { nowMs: createdMs + afterMs }));

describe('spec.expiresAfter', () => {
  it('is a time in the status, and the next reconcile is when the end is announced', () => {
    const { status, requeueAfterMs } = decided(expiring('1h'), 54 * minuteMs - 5_000);
    expect(status).toMatchObject({ expiresAt: at(createdMs + 60 * minuteMs) });
    expect(status.conditions?.map(({ type }) => type)).toEqual(['Ready']);
    expect(requeueAfterMs).toBe(5_000);
  });

  it('is announced by a condition and once by an Event in the last tenth of the time', () => {
    const network = expiring('1h');
    const { status } = decided(network, 54 * minuteMs);
    expect(status.conditions).toContainEqual(
      expect.objectContaining({ type: 'Expiring', status: 'True', reason: 'ExpiresSoon' }),
    );
    const announced = eventsOf(network, status).filter(({ reason }) => reason === 'ExpiresSoon');
    expect(announced).toEqual([
      expect.objectContaining({
        type: 'Warning',
        message: expect.stringContaining('set a longer spec.expiresAfter'),
      }),
    ]);
    const again = decided({ ...network, status }, 55 * minuteMs).status;
    expect(eventsOf({ ...network, status }, again).map(({ reason }) => reason)).not.toContain('ExpiresSoon');
  });

  it('that becomes longer takes the announcement back', () => {
    const { status } = decided(expiring('1h'), 54 * minuteMs);
    const longer = decided({ ...expiring('2h'), status }, 55 * minuteMs).status;
    expect(longer.conditions?.map(({ type }) => type)).toEqual(['Ready']);
    expect(longer.expiresAt).toBe(at(createdMs + 120 * minuteMs));
  });

  it('beyond the limit of the installation ends at the limit, and the message says so', () => {
    const network = expiring('48h');
    const limits = { installation: anInstallation({ expiry: { maxAfterSeconds: 3600 } }) };
    const facts = { ...limits, nowMs: createdMs, pods: [aPod(network, readyStatus)] };
    const { status } = decide(factsOf(network, facts));
    expect(status.expiresAt).toBe(at(createdMs + 60 * minuteMs));
    expect(status.message).toContain(
      'spec.expiresAfter: 48h is too long: this installation allows 1 h at most (expiry.maxAfter), which applies',
    );
  });
});

describe('a network that has expired', () => {
  const key = { namespace: 'ws', name: 'net' };
  async function expire(network: Stored<NetworkResource>, afterMs: number, live: object = {}) {
    const kube = createFakeKube();
    const { metadata } = kube.seed(networkType, { ...network, ...live });
    const known = { ...network, metadata: { ...network.metadata, uid: metadata.uid } };
    const events: EventContent[] = [];
    const recorder = { record: (_object: unknown, event: EventContent) => void events.push(event) };
    await deleteExpired({ kube, events: recorder }, factsOf(known, { nowMs: createdMs + afterMs }));
    return { isThere: (await kube.get(networkType, key)) !== undefined, events };
  }
  /** As the status is once the end was announced at this time after the creation. */
  const announced = (expiresAfter: string, sinceMs: number) =>
    expiring(expiresAfter, decided(expiring(expiresAfter), sinceMs).status);

  it('is deleted at its time, with an Event', async () => {
    const network = announced('1h', 54 * minuteMs);
    expect((await expire(network, 60 * minuteMs - 1)).isThere).toBe(true);
    expect(await expire(network, 60 * minuteMs)).toEqual({
      isThere: false,
      events: [
        expect.objectContaining({
          reason: 'Expired',
          message: expect.stringContaining('1h after its creation'),
        }),
      ],
    });
  });

  it('is deleted a minute after the announcement at the earliest, even when its time is over already', async () => {
    const network = announced('1h', 90 * minuteMs);
    expect((await expire(network, 91 * minuteMs - 1)).isThere).toBe(true);
    expect((await expire(network, 91 * minuteMs)).isThere).toBe(false);
    expect((await expire(expiring('1h'), 90 * minuteMs)).isThere).toBe(true);
  });

  it('is kept when the live object has a longer time than the cache shows', async () => {
    const network = announced('1h', 54 * minuteMs);
    const { isThere, events } = await expire(network, 60 * minuteMs, {
      spec: { ...network.spec, expiresAfter: '2h' },
    });
    expect([isThere, events]).toEqual([true, []]);
  });
});
