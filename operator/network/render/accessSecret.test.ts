import { aKeyring } from '../../../core/accounts/testing/keyrings.ts';
import { createFakeKube } from '../../../core/kube/testing/fake/fake.ts';
import { coreSecretType } from '../../../core/kube/types.ts';
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
  const { ensure, forget } = createAccessSecrets({ kube });
  const read = async () => {
    const secret = await kube.get(coreSecretType, { namespace, name: `${name}-access` });
    const entries = Object.entries(secret?.data ?? {});
    return { secret, urls: Object.fromEntries(entries.map(([key, text]) => [key, atob(text)])) };
  };
  return { ensure, forget, read, writes: () => kube.requests.filter(({ verb }) => verb === 'apply').length };
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
