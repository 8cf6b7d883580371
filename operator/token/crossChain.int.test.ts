import { tokenType } from '../../core/api/resources/resources.ts';
import type { Mechanism } from '../../core/api/rules/tokenArgs.ts';
import {
  addThreeTypes,
  type ChainScene,
  createChainScene,
  type SceneNetwork,
} from '../../core/outbox/testing/scene.ts';
import { createTestKube } from '../../hack/testenv/testKube.ts';
import { asUser } from './testing/ccip.ts';
import { createToken, isDeployed, startTokenOperator, type TokenOperator } from './testing/operator.ts';

const kube = createTestKube();
let scene: ChainScene;
let operator: TokenOperator;
let user: ReturnType<typeof asUser>;
let a: SceneNetwork;
let b: SceneNetwork;
let c: SceneNetwork;

beforeAll(async () => {
  scene = await createChainScene(kube);
  user = asUser(scene, receiver);
  [a, b, c] = await addThreeTypes(scene, ['a', 'b', 'c']);
  operator = await startTokenOperator(kube, scene);
});
afterAll(async () => {
  await operator.stop();
  await scene.stop();
  await kube.close();
});

const nobody = `0x${'0'.repeat(40)}`;
const receiver = `0x${'77'.repeat(20)}`;

test.each<Mechanism>(['burn-mint', 'lock-release'])(
  'a CCT of mechanism %s is wired between three networks, and ccipSend arrives',
  async (mechanism) => {
    const liquidity = mechanism === 'lock-release' ? { liquidity: 500 } : {};
    const args = { total_supply: '1000', ...liquidity };
    const deployments = [a, b, c].map(({ name }) => ({ network: name, args }));
    const name = await createToken(kube, scene, { type: 'CCT', mechanism, deployments });
    const token = await operator.reach(name, isDeployed);
    const before = await Promise.all([a, b, c].map((network) => user.supplyOf(token, network)));
    await user.ccipSend(token, [a, b], 100n);
    await user.arrived(token, b, 100n);
    await user.ccipSend(token, [b, c], 50n);
    await user.arrived(token, c, 50n);
    const after = await Promise.all([a, b, c].map((network) => user.supplyOf(token, network)));
    const sum = (supplies: bigint[]) => supplies.reduce((one, other) => one + other, 0n);
    expect(sum(after)).toBe(sum(before));
  },
);

test('two CCTs deployed at once on new networks share one router, and a network added later is connected to all', async () => {
  const [d, e, f] = await Promise.all(['d', 'e', 'f'].map((name) => scene.addNetwork(name)));
  if (!d || !e || !f) throw new Error('the scene has too few networks');
  const args = { total_supply: '1000' };
  const deployments = [d, e].map(({ name }) => ({ network: name, args }));
  const names = await Promise.all(
    [1, 2].map(() => createToken(kube, scene, { type: 'CCT', mechanism: 'burn-mint', deployments })),
  );
  const [one, other] = await Promise.all(names.map((name) => operator.reach(name, isDeployed)));
  if (!one || !other) throw new Error('a token is missing');
  expect(user.on(one, d).extraAddresses?.router).toBe(user.on(other, d).extraAddresses?.router);
  const ref = { namespace: scene.user.namespace, name: names[0] ?? '' };
  const spec = { deployments: [...deployments, { network: 'f', args }] };
  await kube.patch(tokenType, ref, { spec });
  const grown = await operator.reach(
    ref.name,
    (token) => isDeployed(token) && token.status?.deployed === '3/3',
  );
  expect(user.on(grown, d)).toEqual(user.on(one, d));
  await user.ccipSend(grown, [f, d], 5n);
  await user.arrived(grown, d, 5n);
});

test('an ERC3643 is deployed on three networks', async () => {
  const args = {
    total_supply: '1000',
    owner: scene.wallet.address,
    compliance_registry: nobody,
  };
  const deployments = [a, b, c].map(({ name }) => ({ network: name, args }));
  const name = await createToken(kube, scene, { type: 'ERC3643', deployments });
  const token = await operator.reach(name, isDeployed);
  for (const network of [a, b, c]) expect(await user.supplyOf(token, network)).toBe(1000n);
});
