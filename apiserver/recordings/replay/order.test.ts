import { labels } from '../../../core/api/names.ts';
import { replayType } from '../../../core/api/resources/resources.ts';
import { createFakeKube } from '../../../core/kube/testing/fake/fake.ts';
import { AppError } from '../../../core/lib/errors.ts';
import { newRun } from '../../../core/replays/runs.ts';
import type { Principal } from '../../http/auth/principal.ts';
import { orderReplay, whenPerformed } from './order.ts';
import type { Part } from './plan.ts';

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

it('a look at a run that fails tells nothing of it', async () => {
  const kube = createFakeKube();
  const run = await kube.create(replayType, newRun('1', principal));
  let looks = 0;
  const cut = {
    ...kube,
    get: async () => {
      looks += 1;
      if (looks < 3) throw new AppError('Unavailable', 'kube-apiserver did not answer');
      return { ...run, spec: { ...run.spec, finished: true } };
    },
  };
  const over = await whenPerformed({ kube: cut as never, replays }, run);
  expect([over.spec.finished, looks]).toEqual([true, 3]);
});

/** A document that is refused after its run was created. */
const refused = [
  {
    recordedId: 'a',
    target: { metadata: { name: 'b', labels: {} } } as Part['target'],
    async *read() {
      yield [];
      throw new AppError('TooManyRequests', 'the storage budget is used up');
    },
  },
];

it.each([
  ['that this request created is removed', false, 0],
  ['that an earlier attempt created stays', true, 1],
])('of a document without room, a run %s', async (_, isThere, count) => {
  const kube = createFakeKube();
  if (isThere) await kube.create(replayType, newRun('1', principal));
  const asked = orderReplay({ kube, replays }, { ...wanted, parts: refused, about: { caller } });
  await expect(asked).rejects.toThrow('the storage budget is used up');
  expect((await kube.list(replayType)).items).toHaveLength(count);
});
