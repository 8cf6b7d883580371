import { networkType, outboxType } from '../../core/api/resources/resources.ts';
import { aNetwork } from '../../core/api/testing/builders.ts';
import { createFakeKube, type FakeKube } from '../../core/kube/testing/fake/fake.ts';
import { createManualClock } from '../../core/lib/manualClock.ts';
import { packBatches } from '../../core/outbox/batches.ts';
import { startAccountsApi } from '../testing/accountsApi.ts';
import { startTestApi, type TestApi, type TestUser } from '../testing/harness.ts';
import { openEvents } from './testing/client.ts';

const namespace = 'ws-one';
const users: TestUser[] = [{ userId: 'ann', workspaceId: 'one', namespace }];
const clock = createManualClock(Date.parse('2030-01-01T00:00:00Z'));

let kube: FakeKube;
let api: TestApi;
afterEach(() => api.close());

describe('a stream whose caller loses access', () => {
  it.each([
    ['its key is revoked', (key: string, _user: string) => `/workspaces/default/api-keys/${key}`],
    ['it is no longer a member', (_key: string, user: string) => `/workspaces/default/memberships/${user}`],
  ])('ends within seconds when %s', async (_reason, pathOf) => {
    const world = await startAccountsApi({ clock });
    ({ api } = world);
    const owner = 'bootstrap.secret-of-bootstrap';
    const dev = await world.join('dev@example.com', 'developer');
    const key = await world.post(dev.token, '/workspaces/default/api-keys', { name: 'ci', role: 'viewer' });
    const client = await openEvents(api.url, { headers: { Authorization: `Bearer ${key.token}` } });
    await client.saw('stream.ready');
    const kept = await openEvents(api.url, { headers: { Authorization: `Bearer ${owner}` } });
    await kept.saw('stream.ready');
    const removed = await world.ask(owner, pathOf(key.id, dev.userId), { method: 'DELETE' });
    expect(removed.status).toBe(204);
    clock.advance(2000);
    await client.ended;
    expect(await api.scrape()).toMatch(/streams_ended_total\{reason="access"\} 1\n/);
    expect(await api.scrape()).toMatch(/slipway_event_streams 1\n/);
    kept.close();
  });
});

describe('with one workspace', () => {
  beforeEach(async () => {
    kube = createFakeKube();
    api = await startTestApi({ kube, users, clock });
  });

  it('a quiet stream has a heartbeat, from which it resumes', async () => {
    const client = await openEvents(api.url);
    await client.saw('stream.ready');
    const first = client.lastEventId();
    // Something happens elsewhere, so that the position moves.
    await kube.create(networkType, aNetwork({ name: 'b', namespace: 'ws-two' }));
    let beat: string | undefined;
    void client.nextId().then((id) => {
      beat = id;
    });
    while (beat === undefined) {
      clock.advance(15_000);
      await new Promise(setImmediate);
    }
    expect(beat).not.toBe(first);
    client.close();
    await kube.create(networkType, aNetwork({ name: 'a', namespace }));
    const second = await openEvents(api.url, { lastEventId: beat });
    await second.saw('network.created');
    expect([client.types(), second.types()]).toEqual([['stream.ready'], ['network.created']]);
    second.close();
  });

  it('a client that takes nothing is not rendered for, and gets everything when it goes on', async () => {
    const slow = await openEvents(api.url);
    const quick = await openEvents(api.url);
    await slow.saw('stream.ready');
    await quick.saw('stream.ready');
    slow.pause();
    const message = 'x'.repeat(200_000);
    await kube.create(networkType, aNetwork({ name: 'a', namespace }));
    const count = 50;
    for (let at = 0; at < count; at += 1) {
      const status = { state: 'Pending' as const, message: `${at} ${message}` };
      await kube.patch(networkType, { namespace, name: 'a' }, { status }, 'status');
    }
    const isLast = ({ object }: { object?: { status?: { message?: string } } }) =>
      object?.status?.message?.startsWith(`${count - 1} `) === true;
    await quick.saw('network.status', isLast);
    const sent = Number(/slipway_events_sent_total (\d+)/.exec(await api.scrape())?.[1]);
    expect(sent).toBeLessThan(2 * count);
    slow.resume();
    await slow.saw('network.status', isLast);
    expect(slow.events.map(({ id }) => id).slice(1)).toEqual(quick.events.map(({ id }) => id).slice(1));
    slow.close();
    quick.close();
  });

  it('a stream that is cut within a batch of transactions goes on with the next one', async () => {
    const first = await openEvents(api.url);
    await first.saw('stream.ready');
    const batch = { id: 'a'.repeat(16), first: 0, count: 3, acceptedAt: '2030-01-01T00:00:00Z' };
    const hashes = ['1', '2', '3'].map((digit) => digit.repeat(64)).join('');
    await kube.create(outboxType, {
      apiVersion: 'slipway.dev/v1alpha1',
      kind: 'Outbox',
      metadata: { name: 'q', namespace },
      spec: {
        role: 'queue',
        networkID: 'n',
        incarnation: 'i',
        signer: `0x${'0'.repeat(40)}`,
        batches: packBatches([{ ...batch, hashes }]),
      },
    });
    const isLast = ({ object }: { object?: { hash?: string } }) => object?.hash?.startsWith('0x3') === true;
    await first.saw('transaction.submitted', isLast);
    const second = await openEvents(api.url, { lastEventId: first.positions[1] });
    await second.saw('transaction.submitted', isLast);
    expect(second.events.map(({ object }) => object.hash.slice(0, 3))).toEqual(['0x2', '0x3']);
    expect(second.events).toEqual(first.events.slice(2));
    first.close();
    second.close();
  });
});
