import { labels } from '../../core/api/names.ts';
import { snapshotType } from '../../core/api/resources/resources.ts';
import { createFakeKube } from '../../core/kube/testing/fake/fake.ts';
import { type ConfigMap, configMapType } from '../../core/kube/types.ts';
import { storeParts } from './parts.ts';

const namespace = 'ws';

it('a further attempt deletes the parts of the former one, and nothing else that has their label', async () => {
  const kube = createFakeKube();
  const snapshot = await kube.create(snapshotType, {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'Snapshot',
    metadata: { name: 'before', namespace },
    spec: { network: 'net' },
  });
  const foreign: ConfigMap = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'foreign', namespace, labels: { [labels.snapshot]: snapshot.metadata.uid } },
  };
  await kube.create(configMapType, foreign);
  await storeParts(kube, snapshot, { bytes: Buffer.from('one'), digest: 'd1' });
  await storeParts(kube, snapshot, { bytes: Buffer.from('two'), digest: 'd2' });
  const { items } = await kube.list(configMapType, { namespace });
  const names = items.map(({ metadata }) => metadata.name);
  expect(names.sort()).toEqual(['foreign', `snapshot-${snapshot.metadata.uid}-d2-0`]);
});
