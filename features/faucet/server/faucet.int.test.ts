import { Wallet } from 'ethers';
import { startTestApi, type TestApi } from '../../../apiserver/testing/harness.ts';
import { awaitReceipts } from '../../../core/evm/receipts.ts';
import { createEvmRpc } from '../../../core/evm/rpc.ts';
import { namespaceType } from '../../../core/kube/types.ts';
import { type ChainScene, createChainScene, sceneSealer } from '../../../core/outbox/testing/scene.ts';
import { createTestKube } from '../../../hack/testenv/testKube.ts';

const kube = createTestKube();
const namespace = `faucet-${process.pid}`;
let scene: ChainScene;
let replicas: TestApi[] = [];
beforeAll(async () => {
  scene = await createChainScene(kube);
  await kube.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  const options = { kube, users: [scene.user], upstreams: scene.upstreams, sealer: sceneSealer, namespace };
  replicas = await Promise.all([startTestApi(options), startTestApi(options)]);
});
afterAll(async () => {
  await Promise.all(replicas.map((api) => api.close()));
  await scene.stop();
  await kube.close();
});

it('two replicas that get the same keyed request at once pay once', async () => {
  const { id, url } = await scene.addNetwork('paid');
  const body = { address: Wallet.createRandom().address, amount: '5' };
  const headers = { 'Idempotency-Key': 'gift' };
  const answers = await Promise.all(
    replicas.map((api) => api.request(`/v1alpha/networks/${id}/faucet`, { body, headers })),
  );
  const [first, second] = answers.map(({ status, json }) => [status, json]);
  expect(first).toEqual([202, { txHashes: [expect.any(String)] }]);
  expect(second).toEqual(first);
  const rpc = createEvmRpc({ url });
  await awaitReceipts(rpc, answers[0]?.json.txHashes, { timeoutMs: 10_000 });
  expect(await rpc.call('eth_getBalance', [body.address, 'latest'])).toBe('0x5');
});
