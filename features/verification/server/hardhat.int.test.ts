import { runNodeProject } from '../../../e2e/lib/clientProjects.ts';
import { createTestKube } from '../../../hack/testenv/testKube.ts';
import { verifiedContractType } from '../api/verifiedContract.ts';
import { startVerifyWorld, type VerifyWorld } from './testing/world.ts';

const kube = createTestKube();
let world: VerifyWorld;
beforeAll(async () => {
  world = await startVerifyWorld(kube);
});
afterAll(async () => {
  await world.close();
  await kube.close();
});

it('hardhat-verify verifies as with Sourcify, Blockscout and Etherscan, and kube-apiserver keeps the contracts', async () => {
  const { id } = await world.scene.addNetwork('hardhat');
  const rpc = world.urlOf(id, 'rpc');
  const test = ['test', 'mocha', 'test/verify.js'];
  const command = ['hardhat', '--build-profile', 'production', '--network', 'public', ...test];
  await runNodeProject('hardhat-3', command, {
    RPC_URL: rpc,
    ADMIN_URL: rpc,
    WS_URL: '',
    ADMIN_WS_URL: '',
    VERIFY_URL: world.urlOf(id, 'verify'),
    CHAIN_ID: '1200000001',
    PRIVATE_KEY: world.scene.wallet.privateKey,
  });
  const { json } = await world.api.request(`/v1alpha/networks/${id}/contracts`);
  expect(json.items).toHaveLength(3);
  const matches = json.items.map(({ match }: { match: string }) => match);
  expect(new Set(matches)).toEqual(new Set(['exact_match']));
  const { namespace } = world.scene.user;
  const { items } = await kube.list(verifiedContractType, { namespace });
  expect(items.filter(({ spec }) => spec.verified?.creationMatch)).toHaveLength(1);
  expect(items.map(({ metadata }) => metadata.ownerReferences?.[0]?.uid)).toEqual([id, id, id]);
});
