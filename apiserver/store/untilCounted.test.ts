import { networkType } from '../../core/api/resources/resources.ts';
import { aNetwork } from '../../core/api/testing/builders.ts';
import { createFakeKube } from '../../core/kube/testing/fake/fake.ts';
import { AppError } from '../../core/lib/errors.ts';
import { createManualClock } from '../../core/lib/manualClock.ts';
import { untilCounted } from './untilCounted.ts';

const object = aNetwork({ name: 'chain', namespace: 'ws-new' });
const uncounted = () =>
  new AppError(
    'Forbidden',
    'networks.slipway.dev "chain" is forbidden: status unknown for quota: slipway-objects',
  );

/** A cluster whose first creations fail with `errors`. */
function failing(errors: AppError[]) {
  const kube = createFakeKube();
  const create: typeof kube.create = (type, wanted) => {
    const error = errors.shift();
    return error ? Promise.reject(error) : kube.create(type, wanted);
  };
  return { ...kube, create };
}

async function passTime(clock: ReturnType<typeof createManualClock>, times: number): Promise<void> {
  for (let count = 0; count < times; count += 1) {
    await new Promise(setImmediate);
    await clock.advance(100);
  }
}

it('a creation in a new namespace waits until Kubernetes has counted what is there', async () => {
  const clock = createManualClock();
  const creation = untilCounted(failing([uncounted(), uncounted()]), clock).create(networkType, object);
  await passTime(clock, 3);
  expect((await creation).metadata.name).toBe('chain');
});

it('fails after five seconds', async () => {
  const clock = createManualClock();
  const errors = Array.from({ length: 100 }, uncounted);
  const creation = untilCounted(failing(errors), clock).create(networkType, object);
  const failed = creation.catch((error: unknown) => error);
  await passTime(clock, 60);
  expect(await failed).toMatchObject({ reason: 'Forbidden' });
  expect(errors.length).toBeGreaterThan(40);
});

it('every other refusal is told immediately', async () => {
  const exceeded = new AppError('Forbidden', 'exceeded quota: slipway-objects');
  const creation = untilCounted(failing([exceeded]), createManualClock()).create(networkType, object);
  await expect(creation).rejects.toBe(exceeded);
});
