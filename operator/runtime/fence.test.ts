import type { Kube } from '../../core/kube/kube.ts';
import { configMapType } from '../../core/kube/types.ts';
import { fenceWrites } from './fence.ts';

const ref = { namespace: 'ns', name: 'a' };
const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: ref };

/** A Kube that only counts the calls that reach it. */
function countingKube() {
  const calls: string[] = [];
  const answer = (verb: string) => async (): Promise<never> => {
    calls.push(verb);
    return object as never;
  };
  const kube = {
    get: answer('get'),
    list: answer('list'),
    create: answer('create'),
    replace: answer('replace'),
    apply: answer('apply'),
    patch: answer('patch'),
    delete: answer('delete'),
    watch: () => (async function* () {})(),
    serverTimeMs: async () => 0,
  } satisfies Kube;
  return { kube, calls };
}

const writes: [string, (kube: Kube) => Promise<unknown>][] = [
  ['create', (kube) => kube.create(configMapType, object)],
  ['replace', (kube) => kube.replace(configMapType, object)],
  ['apply', (kube) => kube.apply(configMapType, object, { fieldManager: 'test' })],
  ['patch', (kube) => kube.patch(configMapType, ref, {})],
  ['delete', (kube) => kube.delete(configMapType, ref)],
];

describe.each(writes)('a fenced %s', (verb, write) => {
  it('passes while the replica leads', async () => {
    const { kube, calls } = countingKube();
    await write(fenceWrites(kube, () => true));
    expect(calls).toEqual([verb]);
  });

  it('is refused, unsent, once it does not', async () => {
    const { kube, calls } = countingKube();
    await expect(write(fenceWrites(kube, () => false))).rejects.toMatchObject({ reason: 'Unavailable' });
    expect(calls).toEqual([]);
  });
});

it('always lets reads pass', async () => {
  const { kube, calls } = countingKube();
  await fenceWrites(kube, () => false).get(configMapType, ref);
  expect(calls).toEqual(['get']);
});
