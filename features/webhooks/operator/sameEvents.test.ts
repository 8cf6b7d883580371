import { openEvents } from '../../../apiserver/events/testing/client.ts';
import { startTestApi } from '../../../apiserver/testing/harness.ts';
import { aKeyring } from '../../../core/accounts/testing/keyrings.ts';
import {
  networkType,
  outboxType,
  recordingType,
  secretType,
  snapshotType,
  tokenType,
} from '../../../core/api/resources/resources.ts';
import { aRecording, aSecret, aSnapshot, aToken } from '../../../core/api/testing/builders.ts';
import { eventKeyOf } from '../../../core/events/eventKey.ts';
import { createFakeKube } from '../../../core/kube/testing/fake/fake.ts';
import { systemClock } from '../../../core/lib/clock.ts';
import { createManualClock } from '../../../core/lib/manualClock.ts';
import { packBatches } from '../../../core/outbox/batches.ts';
import { packResults } from '../../../core/outbox/results.ts';
import { openPlace } from './testing/objects.ts';
import { startWebhookOperator } from './testing/operator.ts';
import { startReceiver } from './testing/receiver.ts';

/** Its timers run, and it is always the same time of the day, so that two processes see a change at the same one. */
const clock = { ...systemClock, nowMs: () => Date.parse('2030-01-01T00:00:00Z') };
const kube = createFakeKube({ clock: { ...clock, nowMs: () => clock.nowMs() - 3_600_000 } });

/** Something of each kind is born and changes. */
async function liveIn(place: Awaited<ReturnType<typeof openPlace>>): Promise<void> {
  const { namespace } = place;
  await place.network('net', { team: 'a' });
  const endpoints = { 'evm-rpc': 'http://x/rpc/id/the-access-key/rpc' };
  const accessKeys = { public: { epoch: 0, observedNonce: 0 }, admin: { epoch: 0, observedNonce: 0 } };
  const operational = {
    state: 'Operational' as const,
    endpoints,
    accessKeys,
    adminServices: ['evm-rpc-admin'],
  };
  await kube.patch(networkType, { namespace, name: 'net' }, { status: operational }, 'status');
  await kube.create(secretType, aSecret({ name: 's', namespace }));
  await kube.patch(secretType, { namespace, name: 's' }, { metadata: { labels: { team: 'b' } } });
  await kube.create(tokenType, aToken({ name: 't', namespace, spec: { deployments: [{ network: 'net' }] } }));
  const deployments = [{ network: 'net', state: 'Deploying' as const }];
  await kube.patch(tokenType, { namespace, name: 't' }, { status: { deployments } }, 'status');
  await kube.create(recordingType, aRecording({ name: 'r', namespace, spec: { networks: ['net'] } }));
  await kube.create(snapshotType, aSnapshot({ name: 'shot', namespace, spec: { network: 'net' } }));
  await kube.patch(snapshotType, { namespace, name: 'shot' }, { status: { state: 'Ready' } }, 'status');
  await submitAndSettle(namespace);
}

async function submitAndSettle(namespace: string): Promise<void> {
  const batch = { id: 'a'.repeat(16), first: 0, count: 2, acceptedAt: '2029-12-31T00:00:00Z' };
  const hashes = ['1', '2'].map((digit) => digit.repeat(64)).join('');
  const spec = { networkID: 'n', incarnation: 'i', signer: `0x${'0'.repeat(40)}` };
  const outbox = { apiVersion: 'slipway.dev/v1alpha1', kind: 'Outbox' } as const;
  const batches = packBatches([{ ...batch, hashes }]);
  await kube.create(outboxType, {
    ...outbox,
    metadata: { name: 'q', namespace },
    spec: { ...spec, role: 'queue', batches },
  });
  await kube.patch(outboxType, { namespace, name: 'q' }, { status: { sent: 2 } }, 'status');
  const results = packResults([
    { state: 'mined', block: 7, gasUsed: 21_000 },
    { state: 'failed', block: 7, gasUsed: 21_000, reason: 'no' },
  ]);
  const settled = packBatches([{ ...batch, hashes, results, settledAt: '2029-12-31T00:00:01Z' }]);
  await kube.create(outboxType, {
    ...outbox,
    metadata: { name: 'q-archive', namespace },
    spec: { ...spec, role: 'archive', batches: settled },
  });
}

it('the stream and a webhook tell of a change in the same words, but for URLs that have an access key', async () => {
  const place = await openPlace(kube);
  const { namespace } = place;
  const users = [{ userId: 'ann', workspaceId: namespace, namespace }];
  const api = await startTestApi({ kube, users, clock });
  const receiver = await startReceiver();
  const operator = await startWebhookOperator(kube, {
    namespace,
    clock: createManualClock(clock.nowMs()),
    watchClock: clock,
    eventKey: eventKeyOf(aKeyring('access key')),
  });
  const { url } = receiver;
  await place.bareWebhook('all', { url, types: ['*'], secretRef: { name: 'signs' } });
  const webhook = await operator.caches.webhooks.waitFor(() => true, { timeoutMs: 60_000 });
  if (webhook) await place.addSecret(webhook, 'signs');
  await operator.reach('all', ({ status }) => status?.state === 'Active');
  const client = await openEvents(api.url);
  await client.saw('stream.ready');
  const from = client.events.length;
  const both = async (type: string) => {
    await client.saw(type);
    await operator.until(() => receiver.received.length === client.events.length - from);
  };
  await liveIn(place);
  await both('transaction.failed');
  await kube.delete(secretType, { namespace, name: 's' });
  await place.removeNetwork('net');
  await both('network.deleted');
  const withoutEndpoints = client.events.slice(from).map((event) => {
    const { endpoints, ...status } = event.object.status ?? {};
    return JSON.stringify(endpoints ? { ...event, object: { ...event.object, status } } : event);
  });
  expect(receiver.received.map(({ body }) => body).sort()).toEqual(withoutEndpoints.sort());
  expect(client.types().filter((type) => type.endsWith('.deleted'))).toHaveLength(2);
  expect(client.types().filter((type) => type.startsWith('transaction.'))).toHaveLength(6);
  client.close();
  await operator.stop();
  await Promise.all([receiver.close(), api.close()]);
});
