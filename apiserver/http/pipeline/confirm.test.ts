import { writtenLease } from '../../../core/api/names.ts';
import { apiKeyType } from '../../../core/api/resources/resources.ts';
import { createFakeKube, type FakeKube } from '../../../core/kube/testing/fake/fake.ts';
import { AppError } from '../../../core/lib/errors.ts';
import { admin } from '../../testing/accountsApi.ts';
import { type Answer, startTestApi, type TestApi, type TestApiOptions } from '../../testing/harness.ts';
import { noBudgetMetrics } from '../limits/budgetMetrics.ts';
import { createConcurrencyLimit } from '../limits/concurrencyLimit.ts';

/** What is asked of the cluster to learn what other replicas know, and when. */

const users = [{ userId: 'ann', workspaceId: 'one', namespace: 'ws' }];
const exceeded = new AppError('TooManyRequests', 'over the limit');
const overLimit = () => {
  throw exceeded;
};

let kube: FakeKube;
let api: TestApi;
beforeEach(() => {
  kube = createFakeKube();
});
afterEach(() => api.close());

async function start(options: Partial<TestApiOptions> = {}): Promise<void> {
  api = await startTestApi({ kube, users, hasDefaults: true, ...options });
}
const questions = () => kube.requests.filter(({ verb, name }) => verb === 'get' && name === writtenLease);
const signUp = () =>
  api.request('/workspace/v1alpha1/invitations/accept', { as: null, body: { token: 'guess' } });

/** Runs `work` as soon as the question is asked, and before it is answered. */
function onQuestion(work: () => Promise<unknown>): void {
  const remove = kube.intercept(async ({ verb, name }) => {
    if (verb !== 'get' || name !== writtenLease) return;
    remove();
    await work();
  });
}

it('an account over its rate limit has nothing asked for it', async () => {
  await start({
    limits: { accountRate: { take: overLimit, check: () => undefined, charge: () => undefined } },
  });
  expect((await api.request('/v1alpha/networks')).status).toBe(429);
  expect(questions()).toEqual([]);
});

it.each([
  ['with credentials', () => api.request('/v1alpha/networks')],
  ['without', signUp],
])('a caller %s who has too many requests has nothing asked for another one', async (_how, ask) => {
  const begin = () => Promise.reject(exceeded);
  await start({ limits: { concurrency: { begin, isWanted: () => false } } });
  expect((await ask()).status).toBe(429);
  expect(questions()).toEqual([]);
});

it('who waits for the cluster counts as a request', async () => {
  await start({
    limits: { concurrency: createConcurrencyLimit({ perCaller: 1, metrics: noBudgetMetrics }) },
  });
  let second: Promise<Answer> | undefined;
  let asked = 0;
  onQuestion(async () => {
    second = signUp();
    for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
    asked = questions().length;
  });
  await signUp();
  expect(asked).toBe(1);
  await second;
});

it('a key that is revoked meanwhile is refused, whatever is wrong with the request', async () => {
  await start();
  const keys = '/workspace/v1alpha1/workspaces/default/api-keys';
  const by = (token: string) => ({ as: null, headers: { Authorization: `Bearer ${token}` } });
  const { json } = await api.request(keys, { ...by(admin), body: { name: 'own', role: 'developer' } });
  onQuestion(() => kube.delete(apiKeyType, { namespace: 'slipway-system', name: json.id }));
  const before = kube.requests.length;
  const answer = await api.request('/v1alpha/networks', { ...by(json.token), body: { nonsense: true } });
  expect(answer.status).toBe(401);
  expect(kube.requests.slice(before).filter(({ kind }) => kind === 'Network')).toEqual([]);
});
