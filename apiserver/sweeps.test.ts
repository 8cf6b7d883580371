import { apiVersion, labels } from '../core/api/names.ts';
import type { ReplaySpec } from '../core/api/resources/replayResource.ts';
import { invitationType, replayType } from '../core/api/resources/resources.ts';
import { createFakeKube } from '../core/kube/testing/fake/fake.ts';
import { toRfc3339 } from '../core/lib/clock.ts';
import { sweepOnce, sweptInvitations, sweptReplays } from './sweeps.ts';
import { anInvitation } from './workspaces/invitations/testing/anInvitation.ts';

it('replays are deleted a day after their end, and their rows are left to Kubernetes', async () => {
  const kube = createFakeKube();
  const nowMs = await kube.serverTimeMs();
  const ago = (hours: number) => toRfc3339(nowMs - hours * 3600 * 1000);
  const seed = (name: string, hours: number, spec: Partial<ReplaySpec>) =>
    kube.seed(replayType, {
      apiVersion,
      kind: 'Replay',
      metadata: {
        name,
        namespace: 'ws-one',
        labels: { [labels.role]: spec.role ?? 'run' },
        creationTimestamp: ago(hours),
      },
      spec: { role: 'run', ...spec },
    });
  const order = { caller: `0x${'1'.repeat(40)}`, networks: [] };
  const failure = { reason: 'Conflict' as const, message: 'gone' };
  seed('never-ordered', 25, {});
  seed('of-an-earlier-version', 25, { finished: true });
  seed('finished', 50, { order, finished: true, endedAt: ago(25) });
  seed('failed', 50, { order, failure, endedAt: ago(25) });
  seed('just-finished', 50, { order, finished: true, endedAt: ago(23) });
  seed('under-way', 50, { order });
  seed('old-rows', 25, { role: 'rows' });
  seed('young', 23, {});
  await sweepOnce(kube, sweptReplays);
  const names = (await kube.list(replayType)).items.map(({ metadata }) => metadata.name);
  expect(names.sort()).toEqual(['just-finished', 'old-rows', 'under-way', 'young']);
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
