import { randomBytes } from 'node:crypto';
import { eventually } from '../../../apiserver/testing/eventually.ts';
import { namespaceType } from '../../../core/kube/types.ts';
import { createTestKube } from '../../../hack/testenv/testKube.ts';
import { auditChunkType, maxChunkEntries } from '../api/chunk.ts';
import { createAppendRecords } from './chunks.ts';
import { readAudit } from './read.ts';

/** What is kept of what callers do, in a real kube-apiserver with the chart's definitions. */

const kube = createTestKube();
const namespace = `records-${randomBytes(4).toString('hex')}`;
beforeAll(async () => {
  await kube.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  // A new kube-apiserver refuses a kind until its storage is ready.
  const isReady = () =>
    kube.list(auditChunkType, { namespace, limit: 1 }).then(
      () => true,
      () => false,
    );
  await eventually(isReady, (ready) => ready);
});
afterAll(async () => {
  await kube.delete(namespaceType, { name: namespace });
  await kube.close();
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
