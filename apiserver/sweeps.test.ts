import { apiVersion, labels } from '../core/api/names.ts';
import { invitationType, replayType } from '../core/api/resources/resources.ts';
import { createFakeKube } from '../core/kube/testing/fake/fake.ts';
import { toRfc3339 } from '../core/lib/clock.ts';
import { sweepOnce, sweptInvitations, sweptReplays } from './sweeps.ts';
import { anInvitation } from './workspaces/invitations/testing/anInvitation.ts';

it('replays are deleted a day after their start, and their rows are left to Kubernetes', async () => {
  const kube = createFakeKube();
  const nowMs = await kube.serverTimeMs();
  const seed = (name: string, role: 'run' | 'rows', hours: number) =>
    kube.seed(replayType, {
      apiVersion,
      kind: 'Replay',
      metadata: {
        name,
        namespace: 'ws-one',
        labels: { [labels.role]: role },
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

it('invitations are deleted 30 days after they were created, once nobody can accept them any more', async () => {
  const kube = createFakeKube();
  const nowMs = await kube.serverTimeMs();
  const seed = (name: string, days: number, more: Parameters<typeof anInvitation>[1]) =>
    kube.seed(
      invitationType,
      anInvitation({ name, creationTimestamp: toRfc3339(nowMs - days * 24 * 3600 * 1000) }, more),
    );
  seed('revoked', 31, { state: 'Revoked' });
  seed('accepted', 31, { state: 'Accepted' });
  seed('expired', 31, { expiresAt: toRfc3339(nowMs - 1000) });
  seed('young', 29, { state: 'Revoked' });
  seed('pending', 31, {});
  seed('being-accepted', 31, { state: 'Accepting' });
  seed('abandoned', 31, { state: 'Accepting', expiresAt: toRfc3339(nowMs - 1000) });
  await sweepOnce(kube, sweptInvitations('slipway-system'));
  const names = (await kube.list(invitationType)).items.map(({ metadata }) => metadata.name);
  expect(names.sort()).toEqual(['being-accepted', 'pending', 'young']);
});
