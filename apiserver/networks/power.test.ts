import { annotations } from '../../core/api/names.ts';
import type { NetworkStatus } from '../../core/api/resources/networkStatus.ts';
import { networkType } from '../../core/api/resources/resources.ts';
import { aNetwork } from '../../core/api/testing/builders.ts';
import { createFakeKube } from '../../core/kube/testing/fake/fake.ts';
import { isStopRequested, isWakeRequested } from '../../core/networks/wake.ts';
import { eventually } from '../testing/eventually.ts';
import { startTestApi, type TestApi, type TestUser } from '../testing/harness.ts';

const common = { workspaceId: 'one', namespace: 'ws-one' };
const users: TestUser[] = [
  { userId: 'ann', ...common },
  { userId: 'vic', role: 'viewer', ...common },
];

let kube: ReturnType<typeof createFakeKube>;
let api: TestApi;
beforeEach(async () => {
  kube = createFakeKube();
  api = await startTestApi({ kube, users });
});
afterEach(() => api.close());

const operational = { state: 'Operational', observedGeneration: 1 } satisfies NetworkStatus;
const stopped = { state: 'Stopped', observedGeneration: 1 } satisfies NetworkStatus;
const key = { namespace: 'ws-one', name: 'a' };

const seed = (status: NetworkStatus) => kube.seed(networkType, aNetwork({ ...key, status })).metadata.uid;
const post = (uid: string, what: 'stop' | 'wake', as = 'ann') =>
  api.request(`/v1alpha/networks/${uid}/${what}`, { method: 'POST', as });
const annotationsOf = async () => (await kube.get(networkType, key))?.metadata.annotations ?? {};

/** Plays the operator: observes the annotations once `isAsked`. */
async function operate(
  isAsked: typeof isStopRequested,
  state: NonNullable<NetworkStatus['state']>,
): Promise<void> {
  const network = await eventually(
    () => kube.get(networkType, key),
    (found) => found !== undefined && isAsked(found),
  );
  const { [annotations.stop]: observedStop, [annotations.wake]: observedWake } =
    network?.metadata.annotations ?? {};
  await kube.patch(networkType, key, { status: { state, observedStop, observedWake } }, 'status');
}

describe('POST …/stop', () => {
  it('sets the annotation that a user would set, and answers once the operator has begun', async () => {
    const uid = seed(operational);
    const [answer] = await Promise.all([post(uid, 'stop'), operate(isStopRequested, 'Stopping')]);
    expect(answer).toMatchObject({
      status: 200,
      json: { kind: 'Network', id: uid, status: { state: 'Stopping' } },
    });
    expect(await annotationsOf()).toHaveProperty([annotations.stop]);
  });

  it('leaves a stopped network as it is', async () => {
    const answer = await post(seed(stopped), 'stop');
    expect(answer).toMatchObject({ status: 200, json: { status: { state: 'Stopped' } } });
    expect(await annotationsOf()).toEqual({});
  });

  it('takes back a wake that has not begun', async () => {
    const uid = seed(stopped);
    await kube.patch(networkType, key, { metadata: { annotations: { [annotations.wake]: 'now' } } });
    await Promise.all([post(uid, 'stop'), operate(isStopRequested, 'Stopped')]);
    expect(Object.keys(await annotationsOf())).toEqual([annotations.stop]);
  });
});

it.each(['stop', 'wake'] as const)('POST …/%s is 403 for a viewer, and changes nothing', async (what) => {
  expect((await post(seed(what === 'stop' ? operational : stopped), what, 'vic')).status).toBe(403);
  expect(await annotationsOf()).toEqual({});
});

describe('POST …/wake', () => {
  it('wakes a stopped network, and answers once the operator has begun', async () => {
    const uid = seed(stopped);
    const [answer] = await Promise.all([post(uid, 'wake'), operate(isWakeRequested, 'Pending')]);
    expect(answer).toMatchObject({ status: 200, json: { status: { state: 'Pending' } } });
  });

  it('counts as activity of a running network, and sets nothing', async () => {
    expect((await post(seed(operational), 'wake')).status).toBe(200);
    await eventually(
      () => kube.get(networkType, key),
      (found) => found?.status?.lastActivityAt !== undefined,
    );
    expect(await annotationsOf()).toEqual({});
  });

  it('that follows a stop which has not begun wakes the network after it', async () => {
    const uid = seed(operational);
    await kube.patch(networkType, key, { metadata: { annotations: { [annotations.stop]: 'now' } } });
    await Promise.all([post(uid, 'wake'), operate(isWakeRequested, 'Pending')]);
    expect(Object.keys(await annotationsOf()).sort()).toEqual([annotations.stop, annotations.wake]);
  });
});
