import { newUser } from '../../core/accounts/objects.ts';
import { userType } from '../../core/api/resources/resources.ts';
import { type SubmitApi, startSubmitApi } from './testing/submitApi.ts';

let one: SubmitApi;
beforeAll(async () => {
  one = await startSubmitApi();
  const { userId: id } = one.scene.user;
  await one.kube.create(userType, newUser({ namespace: 'slipway-system', id }, { name: 'Ann' }));
  await callsOf();
});
afterAll(() => one.stop());

/** What a submission of one transaction asks of kube-apiserver until it is answered. */
async function callsOf(headers: Record<string, string> = {}): Promise<string[]> {
  const { kube, api, first, scene } = one;
  const item = {
    from: scene.wallet.address,
    to: scene.wallet.address,
    value: '1',
    data: '0x',
    gas_limit: 21_000,
  };
  const before = kube.requests.length;
  const { status, text } = await api.request('/transaction/v1alpha1/transaction/submit', {
    body: { transactions_by_network: { [first.id]: [item] } },
    headers,
  });
  if (status !== 202) throw new Error(text);
  return kube.requests.slice(before).map(({ verb, kind }) => `${verb} ${kind}`);
}

test('a submission is one write', async () => {
  expect(await callsOf()).toEqual(['get Lease', 'replace Outbox']);
});

test('an Idempotency-Key adds its record and the answer in it', async () => {
  expect(await callsOf({ 'Idempotency-Key': 'one' })).toEqual([
    'get Lease',
    'create IdempotencyRecord',
    'replace Outbox',
    'replace IdempotencyRecord',
  ]);
});
