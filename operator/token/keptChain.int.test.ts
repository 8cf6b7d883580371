import { JsonRpcProvider } from 'ethers';
import { networkType } from '../../core/api/resources/resources.ts';
import { type ChainScene, createChainScene } from '../../core/outbox/testing/scene.ts';
import { createTestKube } from '../../hack/testenv/testKube.ts';
import {
  createToken,
  deploymentOn,
  isDeployed,
  startTokenOperator,
  type TokenOperator,
} from './testing/operator.ts';
import { createReaper } from './testing/reaper.ts';

const kube = createTestKube();
let scene: ChainScene;
let second: TokenOperator | undefined;

beforeAll(async () => {
  scene = await createChainScene(kube);
});
afterAll(async () => {
  await second?.stop();
  await scene.stop();
  await kube.close();
});

test('a deployment is not sent again when its operator dies and the pod of a persistent network is replaced', async () => {
  const network = await scene.addNetwork('kept');
  const place = network.resource.metadata;
  await kube.patch(networkType, place, { spec: { persistent: true } });
  const reaper = createReaper((mark) => (mark.startsWith('broadcast ') ? ['after'] : []));
  const life = reaper.begin(kube);
  const first = await startTokenOperator(life.kube, scene, life.surroundings);
  const deployments = [{ network: network.name, args: { total_supply: '1000' } }];
  const name = await createToken(kube, scene, { type: 'ERC20', deployments });
  await life.died;
  await first.stop({ isDead: true });

  await kube.patch(networkType, place, { status: { enclaveID: 'incarnation-of-the-next-pod' } }, 'status');
  second = await startTokenOperator(kube, scene);
  const token = await second.reach(name, isDeployed);
  const provider = new JsonRpcProvider(network.url);
  expect(await provider.getTransactionCount(scene.wallet.address)).toBe(1);
  const { deploymentTx = '' } = deploymentOn(token.status?.deployments, network.name) ?? {};
  expect(await provider.getTransactionReceipt(deploymentTx)).toMatchObject({ from: scene.wallet.address });
});
