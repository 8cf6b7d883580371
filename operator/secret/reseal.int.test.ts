import { randomBytes } from 'node:crypto';
import { createSealer, isBoundToOwner, type MasterKeys } from '../../core/accounts/seal.ts';
import { sealFormerly } from '../../core/accounts/testing/formerSeal.ts';
import { labels } from '../../core/api/names.ts';
import { secretType } from '../../core/api/resources/resources.ts';
import type { Kube } from '../../core/kube/kube.ts';
import { confined } from '../../core/kube/testing/confined.ts';
import { namespaceType } from '../../core/kube/types.ts';
import { silentLog } from '../../core/lib/log.ts';
import { createTestKube } from '../../hack/testenv/testKube.ts';
import { resealAll } from './reseal.ts';

const real = createTestKube();
const namespace = `reseal-${randomBytes(4).toString('hex')}`;
const kube = confined(real, namespace);
const oldKey = ['k1', randomBytes(32)] as const;
const newKey = ['k2', randomBytes(32)] as const;
const keys = (...all: (readonly [string, Buffer])[]): MasterKeys => ({
  currentId: all[0]?.[0] ?? '',
  keys: new Map(all),
});
const before = createSealer(keys(oldKey));
const during = createSealer(keys(newKey, oldKey));
const after = createSealer(keys(newKey));
const plain = new Map(Array.from({ length: 50 }, (_, index) => [`s${index}`, randomBytes(32)]));

const stored = async () => (await kube.list(secretType)).items;
const idOf = (data: string) => data.split(':')[2];
const owner = 'ann';
const placeOf = (name: string) => ({ namespace, name, owner });
const put = (name: string, data: string) =>
  kube.create(secretType, {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'Secret',
    metadata: { name, namespace, labels: { [labels.owner]: owner } },
    spec: { type: 'any', data },
  });

/** Whether `sealer` opens everything that is stored, with the original values. */
async function isReadable(sealer: typeof during): Promise<boolean> {
  const secrets = await stored();
  return secrets.every(({ metadata: { name }, spec }) =>
    sealer.unseal(spec.data, placeOf(name)).equals(plain.get(name) ?? Buffer.alloc(0)),
  );
}

beforeAll(async () => {
  await real.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  for (const [name, bytes] of plain) await put(name, sealFormerly(oldKey, bytes, { namespace, name }));
});
afterAll(async () => {
  await real.delete(namespaceType, { name: namespace });
  await real.close();
});

it('continues when it is interrupted and run again: all is readable after each write, and under the new key at the end', async () => {
  const unreadableAfter: number[] = [];
  let writes = 0;
  const dying: Pick<Kube, 'get' | 'list' | 'patch'> = {
    ...kube,
    async patch(...args) {
      if (writes === 20) throw new Error('killed');
      const written = await kube.patch(...args);
      writes += 1;
      if (!(await isReadable(during))) unreadableAfter.push(writes);
      return written as never;
    },
  };
  const first = await resealAll({ kube: dying, sealer: during, log: silentLog });
  expect(first).toEqual({ current: 0, resealed: 20, failed: 30 });
  const halfway = (await stored()).map(({ spec }) => idOf(spec.data)).sort();
  expect(halfway).toEqual([...Array(30).fill('k1'), ...Array(20).fill('k2')]);

  const second = await resealAll({ kube, sealer: during, log: silentLog });
  expect(second).toEqual({ current: 20, resealed: 30, failed: 0 });
  expect(unreadableAfter).toEqual([]);
  expect((await stored()).map(({ spec }) => idOf(spec.data))).toEqual(Array(50).fill('k2'));
  for (const { spec } of await stored()) expect(isBoundToOwner(spec.data)).toBe(true);
  expect(await isReadable(after)).toBe(true);
});

it('binds secrets to their owners under the key that they have, when no key is rotated', async () => {
  const name = 'unbound';
  const bytes = randomBytes(32);
  await put(name, sealFormerly(newKey, bytes, { namespace, name }));
  expect(await resealAll({ kube, sealer: after, log: silentLog })).toMatchObject({ resealed: 1, failed: 0 });
  const live = await kube.get(secretType, { namespace, name });
  expect(after.unseal(live?.spec.data ?? '', placeOf(name))).toEqual(bytes);
  expect(() => after.unseal(live?.spec.data ?? '', { ...placeOf(name), owner: 'eve' })).toThrow(
    /another owner/,
  );
  await kube.delete(secretType, { namespace, name });
});

it('writes nothing when everything is under the first key', async () => {
  const versions = async () => (await stored()).map(({ metadata }) => metadata.resourceVersion);
  const earlier = await versions();
  expect(await resealAll({ kube, sealer: after, log: silentLog })).toEqual({
    current: 50,
    resealed: 0,
    failed: 0,
  });
  expect(await versions()).toEqual(earlier);
});

it('keeps a value that is written concurrently', async () => {
  const name = 'contended';
  const late = randomBytes(32);
  await put(name, before.seal(randomBytes(32), placeOf(name)));
  let isContended = false;
  const contending: Pick<Kube, 'get' | 'list' | 'patch'> = {
    ...kube,
    async patch(...args) {
      if (!isContended) {
        isContended = true;
        const data = before.seal(late, placeOf(name));
        await kube.patch(secretType, { namespace, name }, { spec: { data } });
      }
      return kube.patch(...args) as never;
    },
  };
  expect(await resealAll({ kube: contending, sealer: during, log: silentLog })).toMatchObject({
    resealed: 1,
    failed: 0,
  });
  const live = await kube.get(secretType, { namespace, name });
  expect(after.unseal(live?.spec.data ?? '', placeOf(name))).toEqual(late);
  await kube.delete(secretType, { namespace, name });
});

it('leaves what it cannot open, reports which, and continues with the others', async () => {
  const other = createSealer(keys(['lost', randomBytes(32)]));
  await put('a-lost', other.seal(randomBytes(32), placeOf('a-lost')));
  await put('b-old', before.seal(randomBytes(32), placeOf('b-old')));
  const errors: unknown[] = [];
  const log = { ...silentLog, error: (_message: string, fields?: object) => void errors.push(fields) };
  expect(await resealAll({ kube, sealer: during, log })).toMatchObject({ resealed: 1, failed: 1 });
  expect(errors).toEqual([
    {
      namespace,
      name: 'a-lost',
      reason: 'secret "a-lost" cannot be opened: master key "lost" is not installed',
    },
  ]);
});
