import { randomBytes } from 'node:crypto';
import { eventually } from '../../../apiserver/testing/eventually.ts';
import { usageRecordType } from '../../../core/api/resources/resources.ts';
import { namespaceType } from '../../../core/kube/types.ts';
import { systemClock } from '../../../core/lib/clock.ts';
import { silentLog } from '../../../core/lib/log.ts';
import { createTestKube } from '../../../hack/testenv/testKube.ts';
import { createUsageLedger } from './ledger.ts';

/** In a real kube-apiserver with the chart's definitions. */

const kube = createTestKube();
const namespace = `records-${randomBytes(4).toString('hex')}`;
beforeAll(async () => {
  await kube.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  // A new kube-apiserver refuses a kind until its storage is ready.
  const isReady = () =>
    kube.list(usageRecordType, { namespace, limit: 1 }).then(
      () => true,
      () => false,
    );
  await eventually(isReady, (ready) => ready);
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
