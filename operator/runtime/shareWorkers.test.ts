import { refOf } from '../../core/kube/objects.ts';
import { shareWorkers } from './shareWorkers.ts';

type Sharing = Parameters<typeof shareWorkers>[1];

/** A reconcile whose keys are `namespace/name` unless the test says otherwise. */
function shared(work: (key: string) => Promise<object>, sharing: Partial<Sharing> & { workers: number }) {
  const reconcile = shareWorkers(work, { namespaceOf: (key) => refOf(key).namespace, ...sharing });
  return (key: string) => reconcile(key, new AbortController().signal);
}

it('defers what a namespace has beyond its share, and nothing of other namespaces', async () => {
  const hanging = Promise.withResolvers<object>();
  const work = shared((key) => (key.startsWith('bad/') ? hanging.promise : Promise.resolve({})), {
    workers: 8,
  });
  const held = [work('bad/1'), work('bad/2')];
  expect(await work('bad/3')).toMatchObject({ state: 'Deferred', requeueAfterMs: expect.any(Number) });
  expect(await work('good/1')).toEqual({});
  hanging.resolve({ state: 'done' });
  await Promise.all(held);
  expect(await work('bad/3')).toEqual({ state: 'done' });
});

it('a reconcile that fails gives its share back', async () => {
  const work = shared(() => Promise.reject(new Error('away')), { workers: 4 });
  await expect(work('a/1')).rejects.toThrow('away');
  await expect(work('a/1')).rejects.toThrow('away');
});

it('workspaces of one account share the workers', async () => {
  const hanging = Promise.withResolvers<object>();
  const work = shared((key) => (key.startsWith('ann') ? hanging.promise : Promise.resolve({})), {
    shareOf: (ns) => ns.slice(0, 3),
    workers: 8,
  });
  const first = [work('ann-1/a'), work('ann-2/a')];
  expect(await work('ann-3/a')).toMatchObject({ state: 'Deferred' });
  expect(await work('ben-1/a')).toEqual({});
  hanging.resolve({});
  await Promise.all(first);
});

it('keys that are not names have the namespace of what they stand for', async () => {
  const hanging = Promise.withResolvers<object>();
  const work = shared((key) => (key === 'uid-1' ? hanging.promise : Promise.resolve({})), {
    workers: 4,
    namespaceOf: (key) => ({ 'uid-1': 'bad', 'uid-2': 'bad', 'uid-3': 'good' })[key],
  });
  const held = work('uid-1');
  expect(await work('uid-2')).toMatchObject({ state: 'Deferred' });
  expect(await work('uid-3')).toEqual({});
  hanging.resolve({});
  await held;
});

it('no workspace of an account takes the whole share', async () => {
  const hanging = Promise.withResolvers<object>();
  const work = shared((key) => (key.startsWith('one/') ? hanging.promise : Promise.resolve({})), {
    shareOf: () => 'administrator',
    workers: 16,
  });
  const held = [work('one/1'), work('one/2'), work('one/3')];
  expect(await work('one/4')).toMatchObject({ state: 'Deferred' });
  expect(await work('two/1')).toEqual({});
  hanging.resolve({});
  await Promise.all(held);
});
