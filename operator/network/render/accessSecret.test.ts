import { aKeyring } from '../../../core/accounts/testing/keyrings.ts';
import { createFakeKube } from '../../../core/kube/testing/fake/fake.ts';
import { coreSecretType } from '../../../core/kube/types.ts';
import { createManualClock } from '../../../core/lib/manualClock.ts';
import { aNetwork, anInstallation } from '../testing/facts.ts';
import { createAccessSecrets } from './accessSecret.ts';

const network = aNetwork();
const { namespace, name } = network.metadata;
const status = { endpoints: { rpc: 'the URL of rpc' }, adminServices: ['admin', 'admin-ws'] };
const facts = { network, installation: anInstallation(), accessKeys: aKeyring('access key') };
const rotated = {
  ...facts,
  network: { ...network, spec: { ...network.spec, accessKeyRotation: { adminNonce: 1 } } },
};

async function setUp() {
  const kube = createFakeKube();
  const clock = createManualClock();
  const { writerOf, forget, nextMs } = createAccessSecrets({ kube, clock });
  const ensure = (...args: Parameters<typeof writerOf>) => writerOf(...args)();
  const read = async () => {
    const secret = await kube.get(coreSecretType, { namespace, name: `${name}-access` });
    const entries = Object.entries(secret?.data ?? {});
    return { secret, urls: Object.fromEntries(entries.map(([key, text]) => [key, atob(text)])) };
  };
  return {
    clock,
    writerOf,
    ensure,
    forget,
    nextMs,
    read,
    writes: () => kube.requests.filter(({ verb }) => verb === 'apply').length,
  };
}

it('has all URLs of a network, and is deleted with it', async () => {
  const { ensure, read } = await setUp();
  await ensure(facts, status);
  const { secret, urls } = await read();
  expect(urls).toEqual({
    rpc: expect.stringMatching(/^http:\/\/gateway\/rpc\/u-1\/[\w-]{24}\/rpc$/),
    admin: expect.stringMatching(/^http:\/\/gateway\/rpc\/u-1\/[\w-]{24}\/admin$/),
    'admin-ws': expect.stringMatching(/^ws:\/\/gateway\/rpc\/u-1\/[\w-]{24}\/admin-ws$/),
  });
  expect(urls.admin?.split('/')[5]).not.toBe(urls.rpc?.split('/')[5]);
  expect(secret?.metadata.ownerReferences).toMatchObject([{ kind: 'Network', uid: 'u-1', controller: true }]);
});

it('follows a rotation, and is written only when a URL changes', async () => {
  const { ensure, read, writes } = await setUp();
  for (let time = 0; time < 3; time += 1) await ensure(facts, status);
  expect(writes()).toBe(1);
  const before = (await read()).urls;
  await ensure(rotated, status);
  const after = (await read()).urls;
  expect(after.rpc).toBe(before.rpc);
  expect(after.admin).not.toBe(before.admin);
});

it('is written again for a network that was forgotten', async () => {
  const { ensure, forget, writes } = await setUp();
  await ensure(facts, status);
  forget(network.metadata.uid);
  await ensure(facts, status);
  expect(writes()).toBe(2);
});

describe('for a network that has its URLs since before this term', () => {
  const known = (uid: string, stored = status) => ({
    ...facts,
    network: { ...network, metadata: { ...network.metadata, name: uid, uid }, status: stored },
  });

  it('is written again in turn, in case somebody changed it', async () => {
    const { clock, ensure, nextMs, writes } = await setUp();
    const visit = async () => {
      for (const uid of ['u-1', 'u-2', 'u-3']) await ensure(known(uid), status);
      return writes();
    };
    expect(await visit()).toBe(1);
    expect(await visit()).toBe(1);
    expect(['u-1', 'u-2', 'u-3'].map((uid) => nextMs(uid, undefined))).toEqual([undefined, 100, 200]);
    expect([nextMs('u-1', 7_000), nextMs('u-3', 7_000), nextMs('u-3', 50)]).toEqual([7_000, 200, 50]);
    clock.advance(100);
    expect(await visit()).toBe(2);
    clock.advance(10_000);
    expect(await visit()).toBe(3);
    expect(await visit()).toBe(3);
  });

  it('is written at once when that failed after the status was written', async () => {
    const { ensure, writerOf, writes } = await setUp();
    await ensure(known('u-1'), status);
    writerOf(known('u-2', { ...status, adminServices: [] }), status);
    await ensure(known('u-2'), status);
    expect(writes()).toBe(2);
  });

  it.each([
    ['a service is added', known('u-2', { ...status, endpoints: { rpc: '' } })],
    ['an admin service is added', known('u-2', { ...status, adminServices: ['admin'] })],
  ])('is written at once when %s', async (_what, changed) => {
    const { ensure, nextMs, writes } = await setUp();
    await ensure(known('u-1'), status);
    await ensure(changed, status);
    expect(writes()).toBe(2);
    expect(nextMs('u-2', undefined)).toBeUndefined();
  });
});

it.each([
  ['has no endpoints yet', facts, {}],
  [
    'is being deleted',
    {
      ...facts,
      network: { ...network, metadata: { ...network.metadata, deletionTimestamp: '2030-01-01T00:00:00Z' } },
    },
    status,
  ],
])('is not written for a network that %s', async (_what, of, given) => {
  const { ensure, writes } = await setUp();
  await ensure(of, given);
  expect(writes()).toBe(0);
});
