import { randomBytes } from 'node:crypto';
import type { ResourceType } from '../../core/api/resources/kubeObject.ts';
import { maxChunkEntries } from '../../core/api/resources/records/auditChunk.ts';
import { auditChunkType, usageRecordType } from '../../core/api/resources/resources.ts';
import { namespaceType } from '../../core/kube/types.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { silentLog } from '../../core/lib/log.ts';
import { createUsageLedger } from '../../core/usage/ledger.ts';
import { createTestKube } from '../../hack/testenv/testKube.ts';
import { eventually } from '../testing/eventually.ts';
import { createAppendRecords } from './chunks.ts';
import { readAudit } from './read.ts';

/** What is kept of what callers do, in a real kube-apiserver with the chart's definitions. */

const kube = createTestKube();
const namespace = `records-${randomBytes(4).toString('hex')}`;
beforeAll(async () => {
  await kube.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  // A new kube-apiserver refuses kinds until their storage is ready.
  const kinds: ResourceType[] = [usageRecordType, auditChunkType];
  for (const type of kinds) {
    const isReady = () =>
      kube.list(type, { namespace, limit: 1 }).then(
        () => true,
        () => false,
      );
    await eventually(isReady, (ready) => ready);
  }
});
afterAll(async () => {
  await kube.delete(namespaceType, { name: namespace });
  await kube.close();
});

test('replicas that add what they counted lose nothing', async () => {
  const replicas = Array.from({ length: 3 }, () =>
    createUsageLedger({ kube, clock: systemClock, log: silentLog }),
  );
  for (const one of replicas) one.add(namespace, { rpcCalls: 3_000_000_000, networkSeconds: 60 });
  await Promise.all(replicas.map((one) => one.flush()));
  const record = await kube.get(usageRecordType, { namespace, name: 'usage' });
  expect(record?.spec.days).toMatchObject([{ rpcCalls: 9_000_000_000, networkSeconds: 180 }]);
});

test('replicas that append to the audit list lose nothing', async () => {
  const record = (requestID: string) => ({
    at: '2031-01-31T00:00:00Z',
    userID: 'ann',
    action: 'deleteNetwork',
    objects: ['Network a (1)'],
    outcome: 'ok',
    requestID,
    count: 1,
  });
  const perReplica = maxChunkEntries - 50;
  const replicas = Array.from({ length: 3 }, (_, index) =>
    createAppendRecords(kube)(
      namespace,
      Array.from({ length: perReplica }, (_entry, at) => record(`${index}-${at}`)),
    ),
  );
  await Promise.all(replicas);
  const all = await readAudit(kube, namespace, {
    matches: () => true,
    after: '',
    limit: 10_000,
    sinceMs: undefined,
  });
  expect(new Set(all.map((one) => one.record.requestID)).size).toBe(3 * perReplica);
});
