import { apiVersion, labels } from '../core/api/names.ts';
import { replayType } from '../core/api/resources/resources.ts';
import { createFakeKube } from '../core/kube/testing/fake/fake.ts';
import { toRfc3339 } from '../core/lib/clock.ts';
import { sweepOnce, sweptReplays } from './sweeps.ts';

it('replays are deleted a day after their start, and their rows are left to Kubernetes', async () => {
  const kube = createFakeKube();
  const nowMs = await kube.serverTimeMs();
  const seed = (name: string, role: 'run' | 'rows', hours: number) =>
    kube.seed(replayType, {
      apiVersion,
      kind: 'Replay',
      metadata: {
        ...{ name, namespace: 'ws-one', labels: { [labels.role]: role } },
        creationTimestamp: toRfc3339(nowMs - hours * 3600 * 1000),
      },
      spec: { role },
    });
  seed('old', 'run', 25);
  seed('old-rows', 'rows', 25);
  seed('young', 'run', 23);
  await sweepOnce(kube, sweptReplays);
  const names = (await kube.list(replayType)).items.map(({ metadata }) => metadata.name);
  expect(names.sort()).toEqual(['old-rows', 'young']);
});
