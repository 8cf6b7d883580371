import { annotations } from '../../core/api/names.ts';
import type { NetworkStatus } from '../../core/api/resources/networkStatus.ts';
import { networkType } from '../../core/api/resources/resources.ts';
import { aNetwork } from '../../core/api/testing/builders.ts';
import { createFakeKube, type FakeKube } from '../../core/kube/testing/fake/fake.ts';
import { AppError } from '../../core/lib/errors.ts';
import { rotatedAccessKeys } from '../../core/networks/accessEpochs.ts';
import { startTestApi, type TestApi } from '../testing/harness.ts';

const place = { namespace: 'ws-one', name: 'a' };

let kube: FakeKube;
let api: TestApi;
beforeEach(async () => {
  kube = createFakeKube();
  api = await startTestApi({ kube, users: [{ userId: 'ann', workspaceId: 'one', namespace: 'ws-one' }] });
});
afterEach(() => api.close());

const stored = async () => (await kube.get(networkType, place))!;

/** Plays the operator, and somebody else who then changes the network back. */
async function moveOn(status: NetworkStatus): Promise<void> {
  const network = await stored();
  const { [annotations.stop]: observedStop, [annotations.wake]: observedWake } =
    network.metadata.annotations ?? {};
  const observed = { observedStop, observedWake, observedGeneration: network.metadata.generation };
  const rotated = { accessKeys: rotatedAccessKeys(network) };
  await kube.patch(networkType, place, { status: { ...status, ...observed, ...rotated } }, 'status');
}

const operational: NetworkStatus = { state: 'Operational', observedGeneration: 1 };
const stopped: NetworkStatus = { state: 'Stopped', observedGeneration: 1 };
/** An action, its body, the state before it, and the state to which somebody has changed the network since. */
const actions: [string, object | undefined, NetworkStatus, NetworkStatus][] = [
  ['/stop', undefined, operational, operational],
  ['/wake', undefined, stopped, stopped],
  ['/rotate-keys', {}, operational, operational],
];

it.each(actions)(
  'a request to …%s that is repeated after a crash acts once, although others acted since',
  async (path, body, before, since) => {
    const { uid } = kube.seed(networkType, aNetwork({ ...place, status: before })).metadata;
    const ask = (key: string) =>
      api.request(`/v1alpha/networks/${uid}${path}`, {
        method: 'POST',
        body,
        headers: { 'Idempotency-Key': key },
      });
    const cut = new AppError('Unavailable', 'cut');
    kube.failNext({ verb: 'replace', kind: 'Network', when: 'after', error: cut });
    expect((await ask('mine')).status).toBe(503);
    await moveOn(since);
    // Somebody else acts as well, and the network is as it was again.
    const [answer] = await Promise.all([ask('other'), whenAsked()]);
    expect(answer.status).toBe(200);
    await moveOn(since);
    const { spec: wanted, metadata } = await stored();
    expect((await ask('mine')).status).toBe(200);
    const after = await stored();
    expect([after.spec, after.metadata.annotations]).toEqual([wanted, metadata.annotations]);
  },
);

/** Waits until the second request is stored, and answers as the operator does. */
async function whenAsked(): Promise<void> {
  const { resourceVersion } = (await stored()).metadata;
  while ((await stored()).metadata.resourceVersion === resourceVersion) await new Promise(setImmediate);
  await moveOn({ state: 'Operational' });
}
