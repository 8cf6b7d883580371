import { createFakeKube } from '../../../core/kube/testing/fake/fake.ts';
import { createManualClock } from '../../../core/lib/manualClock.ts';
import { startTestApi, type TestApi } from '../../testing/harness.ts';

const users = [{ userId: 'ann', workspaceId: 'one', namespace: 'ws-one' }];
const charged: number[] = [];
const accountRate = {
  take: () => undefined,
  check: () => undefined,
  charge: (_caller: string, requests: number) => void charged.push(requests),
};

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({
    kube: createFakeKube(),
    users,
    clock: createManualClock(),
    limits: { accountRate },
  });
});
afterAll(() => api.close());
beforeEach(() => {
  charged.length = 0;
});

it.each([
  [400, []],
  [1_100, [1]],
  [5_100, [5]],
])(
  'a body of about %i values costs as many requests more as take the time to check it: %j',
  async (count, cost) => {
    const values = Array.from({ length: count - 2 }, () => 1);
    await api.request('/v1alpha/networks', { body: { values } });
    expect(charged).toEqual(cost);
  },
);

it('a body that is refused while it is scanned costs each MiB, and none of its values', async () => {
  const path = '/transaction/v1alpha1/transaction/recording/replay';
  const raw = `{"replayDocument":[${'{},'.repeat(1_000_000)}{}]}`;
  const { status } = await api.request(path, { method: 'POST', raw });
  expect([status, charged]).toEqual([413, [2]]);
});

it('a body that is not JSON in the end is charged for its values and each MiB', async () => {
  const values = Array.from({ length: 5_000 }, () => 'x'.repeat(500));
  const body = JSON.stringify({ replayDocument: values });
  const path = '/transaction/v1alpha1/transaction/recording/replay';
  const { status } = await api.request(path, { method: 'POST', raw: `${body}}` });
  expect([status, charged]).toEqual([400, [7]]);
});
