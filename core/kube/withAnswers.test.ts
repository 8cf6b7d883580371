import { AppError } from '../lib/errors.ts';
import { createFakeKube } from './testing/fake/fake.ts';
import { configMapType } from './types.ts';
import { withAnswers } from './withAnswers.ts';

const ref = { namespace: 'a', name: 'one' };
const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: ref };

it('answers and failures go through, with every argument of the request', async () => {
  const seen: unknown[] = [];
  const kube = withAnswers(createFakeKube(), (answer) => {
    answer.then(
      (value) => seen.push(value),
      (error: unknown) => seen.push(error),
    );
    return answer;
  });
  const created = await kube.create(configMapType, object);
  expect(await kube.get(configMapType, ref)).toEqual(created);
  await expect(kube.create(configMapType, object)).rejects.toMatchObject({ reason: 'Conflict' });
  expect(seen).toEqual([created, created, expect.any(AppError)]);
});

it('a watch is as it was', async () => {
  const pass = jest.fn();
  const inner = createFakeKube();
  const { resourceVersion } = await inner.list(configMapType);
  const events = withAnswers(inner, pass).watch(configMapType, {
    resourceVersion,
    signal: new AbortController().signal,
  });
  await inner.create(configMapType, object);
  for await (const { type } of events) {
    expect(type).toBe('ADDED');
    break;
  }
  expect(pass).not.toHaveBeenCalled();
});
