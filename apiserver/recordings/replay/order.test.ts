import { labels } from '../../../core/api/names.ts';
import { replayType } from '../../../core/api/resources/resources.ts';
import { createFakeKube } from '../../../core/kube/testing/fake/fake.ts';
import { newRun } from '../../../core/replays/runs.ts';
import type { Principal } from '../../http/auth/principal.ts';
import { orderReplay } from './order.ts';

const caller = `0x${'1'.repeat(40)}`;
const principal = { userId: 'ann', namespace: 'ws-one', workspaceId: 'one' } as Principal;
const wanted = { runId: '1', principal, parts: [], about: { caller, recording: 'rec' } };
const replays = { waitFor: async () => undefined };

it('a run that an earlier version left gets its owner with its order', async () => {
  const kube = createFakeKube();
  const { metadata, ...run } = newRun('1', principal);
  const { [labels.owner]: _, ...former } = metadata.labels ?? {};
  await kube.create(replayType, { ...run, metadata: { ...metadata, labels: former } });
  const ordered = await orderReplay({ kube, replays }, wanted);
  expect(ordered.metadata.labels).toEqual({ ...former, [labels.owner]: 'ann' });
  expect(ordered.spec.order).toEqual({ caller, recording: 'rec', networks: [] });
});
