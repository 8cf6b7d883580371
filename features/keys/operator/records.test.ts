import { annotations, apiVersion } from '../../../core/api/names.ts';
import { createFakeKube } from '../../../core/kube/testing/fake/fake.ts';
import { namespaceType } from '../../../core/kube/types.ts';
import { recordName, rpcKeyRecordType } from '../api/record.ts';
import { rpcKeyType } from '../api/rpcKey.ts';
import { createKeyRecords } from './records.ts';

const namespace = 'ws';
const first = 1_900_000_000_000;

it.each([
  ['beyond all keys of a namespace that had the name', { [annotations.firstKeyEpoch]: String(first) }, first],
  ['with the first epoch where the operator did not create the namespace', {}, 0],
])('a key begins %s', async (_how, marks, epoch) => {
  const kube = createFakeKube();
  const metadata = { name: namespace, annotations: marks };
  kube.seed(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata });
  const key = await kube.create(rpcKeyType, {
    apiVersion,
    kind: 'RpcKey',
    metadata: { name: 'ci', namespace },
    spec: { network: 'net' },
  });
  const records = { get: () => undefined, observe: () => undefined };
  const admitted = await createKeyRecords({ kube, records, keys: { get: () => key } }).admit(key, 'n');
  expect(admitted).toBe(epoch);
  const record = await kube.get(rpcKeyRecordType, { name: recordName, namespace });
  expect(record?.spec.keys.ci).toMatchObject({ uid: key.metadata.uid, epoch });
});
