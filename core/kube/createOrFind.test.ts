import { AppError } from '../lib/errors.ts';
import { createOrFind } from './createOrFind.ts';
import { createFakeKube } from './testing/fake/fake.ts';
import { type ConfigMap, configMapType } from './types.ts';

const aMap = (value: string): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace: 'one', name: 'a' },
  data: { value },
});

describe('an object that is created or found', () => {
  it('is new where nothing has its name', async () => {
    const { object, isNew } = await createOrFind(createFakeKube(), configMapType, aMap('new'));
    expect([object.data, isNew]).toEqual([{ value: 'new' }, true]);
  });

  it('stays as it is where it exists', async () => {
    const kube = createFakeKube();
    kube.seed(configMapType, aMap('old'));
    const { object, isNew } = await createOrFind(kube, configMapType, aMap('new'));
    expect([object.data, isNew]).toEqual([{ value: 'old' }, false]);
  });

  it('is a conflict when what had its name is gone by then: the caller tries again', async () => {
    const kube = createFakeKube();
    kube.failNext({ verb: 'create', error: new AppError('Conflict', 'already exists') });
    await expect(createOrFind(kube, configMapType, aMap('new'))).rejects.toMatchObject({
      reason: 'Conflict',
    });
  });

  it('is not looked for after another failure', async () => {
    const kube = createFakeKube();
    kube.seed(configMapType, aMap('old'));
    kube.failNext({ verb: 'create', error: new AppError('Unavailable', 'away') });
    await expect(createOrFind(kube, configMapType, aMap('new'))).rejects.toMatchObject({
      reason: 'Unavailable',
    });
  });
});
