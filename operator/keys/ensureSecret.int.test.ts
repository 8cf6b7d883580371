import { randomBytes } from 'node:crypto';
import { coreSecretType, namespaceType } from '../../core/kube/types.ts';
import { createTestKube } from '../../hack/testenv/testKube.ts';
import { ensureSecret, type WantedSecret } from './ensureSecret.ts';
import { missingKeys } from './generate.ts';

const kube = createTestKube();
const namespace = `keys-${randomBytes(4).toString('hex')}`;
const wanted = (name: string, changes: Partial<WantedSecret> = {}): WantedSecret => ({
  namespace,
  name,
  missing: missingKeys,
  labels: { release: 'one' },
  annotations: { kept: 'yes' },
  ...changes,
});
const read = (name: string) => kube.get(coreSecretType, { namespace, name });
const put = (name: string, data: Record<string, string>) =>
  kube.create(coreSecretType, { apiVersion: 'v1', kind: 'Secret', metadata: { namespace, name }, data });

beforeAll(() =>
  kube.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }),
);
afterAll(async () => {
  await kube.delete(namespaceType, { name: namespace });
  await kube.close();
});

it('several at the same time make one Secret, and only one of them says that it did', async () => {
  const added = await Promise.all(Array.from({ length: 8 }, () => ensureSecret(kube, wanted('created'))));
  expect(added.filter((names) => names.length > 0)).toEqual([Object.keys(missingKeys({}))]);
  const first = await read('created');
  await ensureSecret(kube, wanted('created'));
  expect(await read('created')).toEqual(first);
});

it('several at the same time add what is missing once, and what is there stays', async () => {
  await put('partial', { 'master-keys': 'YQ==', other: 'Yg==' });
  const added = await Promise.all(Array.from({ length: 8 }, () => ensureSecret(kube, wanted('partial'))));
  expect(added.filter((names) => names.length > 0)).toHaveLength(1);
  const found = await read('partial');
  expect(found?.data).toMatchObject({ 'master-keys': 'YQ==', other: 'Yg==' });
  expect(missingKeys(found?.data ?? {})).toEqual({});
  expect(found?.metadata).toMatchObject({ labels: { release: 'one' }, annotations: { kept: 'yes' } });
});

it('a key that somebody writes meanwhile is kept', async () => {
  await put('raced', {});
  let isFirst = true;
  const racing: typeof kube.get = async (type, ref) => {
    const found = await kube.get(type, ref);
    if (isFirst) await kube.patch(coreSecretType, ref, { data: { 'access-keys': 'bWluZQ==' } });
    isFirst = false;
    return found;
  };
  await ensureSecret({ ...kube, get: racing }, wanted('raced'));
  expect((await read('raced'))?.data?.['access-keys']).toBe('bWluZQ==');
});

it('labels follow the release, and those of others stay', async () => {
  await ensureSecret(kube, wanted('labelled', { labels: { release: 'one', other: 'x' } }));
  const before = await read('labelled');
  expect(await ensureSecret(kube, wanted('labelled', { labels: { release: 'two' } }))).toEqual([]);
  const after = await read('labelled');
  expect(after?.metadata.labels).toEqual({ release: 'two', other: 'x' });
  expect(after?.data).toEqual(before?.data);
});
