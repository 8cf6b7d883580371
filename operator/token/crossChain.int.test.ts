import { JsonRpcProvider } from 'ethers';
import { networkType, tokenType } from '../../core/api/resources/resources.ts';
import type { TokenResource } from '../../core/api/resources/tokenResource.ts';
import type { Mechanism } from '../../core/api/rules/tokenArgs.ts';
import {
  addThreeTypes,
  type ChainScene,
  createChainScene,
  type SceneNetwork,
} from '../../core/outbox/testing/scene.ts';
import { createTestKube } from '../../hack/testenv/testKube.ts';
import { asUser } from './testing/ccip.ts';
import {
  createToken,
  deploymentOn,
  isDeployed,
  startTokenOperator,
  type TokenOperator,
} from './testing/operator.ts';
import { startOutboxOperator } from './testing/outbox.ts';

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
  const { tokenAddress, extraAddresses } = user.on(one, d);
  expect(user.on(grown, d)).toMatchObject({ tokenAddress, extraAddresses });
  await user.ccipSend(grown, [f, d], 5n);
  await user.arrived(grown, d, 5n);
});

const args = { total_supply: '1000' };
const setDeployments = (name: string, deployments: object[]) =>
  kube.patch(tokenType, { namespace: scene.user.namespace, name }, { spec: { deployments } });

async function deployCct(names: readonly string[]) {
  const networks = await Promise.all(names.map((name) => scene.addNetwork(name)));
  const deployments = names.map((network) => ({ network, args }));
  const name = await createToken(kube, scene, { type: 'CCT', mechanism: 'burn-mint', deployments });
  await operator.reach(name, isDeployed);
  return { name, networks, deployments };
}

test('a network that is added while another one starts again is not complete before the two are connected', async () => {
  const { name, networks, deployments } = await deployCct(['g', 'h']);
  const [g, h] = networks;
  const i = await scene.addNetwork('i');
  if (!g || !h) throw new Error('the scene has too few networks');
  const report = (state: string) =>
    kube.patch(networkType, h.resource.metadata, { status: { state } }, 'status');
  await report('Pending');
  await setDeployments(name, [...deployments, { network: 'i', args }]);
  const messageOf = (on: string, { status }: TokenResource) => deploymentOn(status?.deployments, on)?.message;
  const waiting = await operator.reach(
    name,
    (token) =>
      deploymentOn(token.status?.deployments, 'i')?.state === 'Deployed' &&
      messageOf('g', token) === undefined,
  );
  expect(messageOf('i', waiting)).toBe('waiting to be connected to h (not running)');
  expect(messageOf('h', waiting)).toBe('waiting to be connected to i');
  expect(waiting.status?.conditions?.[0]).toMatchObject({ status: 'False', reason: 'NotConnected' });
  await report('Operational');
  const whole = await operator.reach(name, isDeployed);
  await user.ccipSend(whole, [i, h], 5n);
  await user.arrived(whole, h, 5n);
  await user.ccipSend(whole, [h, i], 2n);
  await user.arrived(whole, i, 2n);
});

test('a network that fails does not keep another one from being deployed, and is connected to it once it is repaired', async () => {
  const [fit, unfit] = await Promise.all(['fit', 'unfit'].map((one) => scene.addNetwork(one)));
  if (!fit || !unfit) throw new Error('the scene has too few networks');
  const wrong = { underlying_token_address: `0x${'12'.repeat(20)}` };
  const deployments = [
    { network: 'fit', args },
    { network: 'unfit', args: wrong },
  ];
  const name = await createToken(kube, scene, { type: 'CCT', mechanism: 'burn-mint', deployments });
  const half = await operator.reach(
    name,
    ({ status }) =>
      deploymentOn(status?.deployments, 'unfit')?.state === 'Error' &&
      deploymentOn(status?.deployments, 'fit')?.state === 'Deployed',
  );
  expect(user.on(half, fit)).toMatchObject({ message: 'waiting to be connected to unfit' });
  expect(await user.supplyOf(half, fit)).toBe(1000n);
  await setDeployments(name, [deployments[0] ?? {}, { network: 'unfit', args, nonce: 2 }]);
  const whole = await operator.reach(name, isDeployed);
  expect(user.on(whole, fit).tokenAddress).toBe(user.on(half, fit).tokenAddress);
});

test('a connection that a rollback undid is reported, and made again when somebody asks for the deployment', async () => {
  const { name, networks, deployments } = await deployCct(['k', 'l']);
  const [k] = networks;
  if (!k) throw new Error('the scene has too few networks');
  const node = new JsonRpcProvider(k.url);
  const outbox = await startOutboxOperator(kube, scene, operator.deps, operator.deps.signers.serviceOf);
  const snapshot = await node.send('evm_snapshot', []);
  const m = await scene.addNetwork('m');
  const all = [...deployments, { network: 'm', args }];
  await setDeployments(name, all);
  const before = await operator.reach(
    name,
    (token) => isDeployed(token) && deploymentOn(token.status?.deployments, 'm') !== undefined,
  );
  await node.send('evm_revert', [snapshot]);
  const onK = ({ status }: TokenResource) => deploymentOn(status?.deployments, 'k');
  const undone = await operator.reach(name, (token) => onK(token)?.message?.includes('rolled back') === true);
  expect(onK(undone)).toMatchObject({
    state: 'Deployed',
    message: expect.stringMatching(
      /rolled back past its transaction .*: deploy the token again on this network/,
    ),
  });
  await setDeployments(
    name,
    all.map((one) => (one.network === 'k' ? { ...one, nonce: 7 } : one)),
  );
  const whole = await operator.reach(name, (token) => isDeployed(token) && onK(token)?.observedNonce === 7);
  expect(onK(whole)?.tokenAddress).toBe(onK(before)?.tokenAddress);
  await user.ccipSend(whole, [k, m], 5n);
  await user.arrived(whole, m, 5n);
  await outbox.stop();
  node.destroy();
});

test('a connection that a rollback undid while the other network was away is reported, and not forgotten when that one is back', async () => {
  const { name, networks, deployments } = await deployCct(['s', 't']);
  const [s] = networks;
  const u = await scene.addNetwork('u');
  if (!s) throw new Error('the scene has too few networks');
  const node = new JsonRpcProvider(s.url);
  const snapshot = await node.send('evm_snapshot', []);
  await setDeployments(name, [...deployments, { network: 'u', args }]);
  await operator.reach(
    name,
    (token) => isDeployed(token) && deploymentOn(token.status?.deployments, 'u') !== undefined,
  );
  const report = (state: string) =>
    kube.patch(networkType, u.resource.metadata, { status: { state } }, 'status');
  const onS = (fits: (message: string) => boolean) =>
    operator.reach(name, ({ status }) => fits(deploymentOn(status?.deployments, 's')?.message ?? ''));
  await report('Pending');
  await node.send('evm_revert', [snapshot]);
  await onS((message) => message === 'waiting to be connected to u (not running)');
  await report('Operational');
  await onS((message) => /rolled back past its transaction .*: deploy the token again/.test(message));
  node.destroy();
});

test('a deployment that is not complete and was undone is made again by the first request', async () => {
  const [x] = await Promise.all(['x', 'y'].map((name) => scene.addNetwork(name)));
  if (!x) throw new Error('the scene has too few networks');
  const node = new JsonRpcProvider(x.url);
  const outbox = await startOutboxOperator(kube, scene, operator.deps, operator.deps.signers.serviceOf);
  const snapshot = await node.send('evm_snapshot', []);
  const deployments = ['x', 'y'].map((network) => ({ network, args }));
  const name = await createToken(kube, scene, { type: 'CCT', mechanism: 'burn-mint', deployments });
  const before = await operator.reach(name, isDeployed);
  const y = { namespace: scene.user.namespace, name: 'y' };
  await kube.patch(networkType, y, { status: { state: 'Pending' } }, 'status');
  const moved = before.status?.deployments?.map((one) =>
    one.network === 'y' ? { ...one, tokenAddress: receiver } : one,
  );
  await kube.patch(tokenType, { ...y, name }, { status: { deployments: moved } }, 'status');
  const onX = ({ status }: TokenResource) => deploymentOn(status?.deployments, 'x');
  const isWaiting = (token: TokenResource) =>
    onX(token)?.message === 'waiting to be connected to y (not running)';
  await operator.reach(name, isWaiting);
  await node.send('evm_revert', [snapshot]);
  await setDeployments(name, [{ network: 'x', args, nonce: 7 }, ...deployments.slice(1)]);
  const after = await operator.reach(
    name,
    (token) => onX(token)?.observedNonce === 7 && (onX(token)?.state === 'Lost' || isWaiting(token)),
  );
  expect(onX(after)?.state).toBe('Deployed');
  expect(await node.getCode(onX(after)?.tokenAddress ?? '')).not.toBe('0x');
  await outbox.stop();
  node.destroy();
});

test('what an earlier version connected stays complete while one of its networks is away', async () => {
  const { name, networks } = await deployCct(['v', 'w']);
  const [, w] = networks;
  if (!w) throw new Error('the scene has too few networks');
  const report = (state: string) =>
    kube.patch(networkType, w.resource.metadata, { status: { state } }, 'status');
  await report('Pending');
  const ref = { namespace: scene.user.namespace, name };
  const { status } = await operator.reach(name, isDeployed);
  const former = status?.deployments?.map(({ anchor: _, connected: __, ...one }) => one);
  await kube.patch(tokenType, ref, { status: { deployments: former } }, 'status');
  const verifiedOn = (on: string) =>
    operator.reach(name, (token) => deploymentOn(token.status?.deployments, on)?.anchor !== undefined);
  expect((await verifiedOn('v')).status?.conditions?.[0]).toMatchObject({ status: 'True' });
  await report('Operational');
  expect(isDeployed(await verifiedOn('w'))).toBe(true);
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
