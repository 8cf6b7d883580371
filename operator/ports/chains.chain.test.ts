import { Wallet } from 'ethers';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import { outboxType } from '../../core/api/resources/resources.ts';
import { asStored } from '../../core/api/testing/stored.ts';
import { countNonces } from '../../core/evm/chainState.ts';
import { createEvmRpc } from '../../core/evm/rpc.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { createFakeKube } from '../../core/kube/testing/fake/fake.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { silentLog } from '../../core/lib/log.ts';
import { batchesOf, packBatches } from '../../core/outbox/batches.ts';
import { withSpec } from '../../core/outbox/outboxObjects.ts';
import { hashesIn } from '../../core/outbox/packedTransactions.ts';
import { packResults } from '../../core/outbox/results.ts';
import { createSend } from '../../core/outbox/send.ts';
import { createSenderQueues } from '../../core/outbox/senderQueues.ts';
import { type ChainScene, createChainScene, type SceneNetwork } from '../../core/outbox/testing/scene.ts';
import { createSigner } from '../../core/signing/signer.ts';
import { createOutboxCache } from '../outbox/controller.ts';
import { createChains } from './chains.ts';
import type { KeyHolder } from './signers.ts';

const kube = createFakeKube();
const signer = createSigner(1);
const ether = 10n ** 18n;
const service = Wallet.createRandom().address;
const payment = { to: service, data: '0x', value: 5n * ether, funds: service };
let scene: ChainScene;
let network: SceneNetwork;
const outboxes = createOutboxCache({ kube, clock: systemClock, log: silentLog });
beforeAll(async () => {
  outboxes.start();
  scene = await createChainScene(kube);
  network = await scene.addNetwork('net');
});
afterAll(async () => {
  await outboxes.stop();
  await scene.stop();
  await signer.close();
});

const rpc = () => createEvmRpc({ url: network.url });
const holderOf = ({ address, privateKey }: Pick<Wallet, 'address' | 'privateKey'>): KeyHolder => ({
  address,
  withKey: (work) => work(Buffer.from(privateKey.slice(2), 'hex')),
});

/** What one process of the operator holds. */
function createProcess(resource: NetworkResource = network.resource, rpcOf = rpc) {
  const queues = createSenderQueues({ kube, signer, clock: systemClock });
  const chainOf = createChains({
    kube,
    networks: { byIndex: () => [asStored(resource) as Stored<NetworkResource>] },
    outboxes,
    rpcOf,
    send: createSend({ queues, clock: systemClock, log: silentLog }),
  });
  const enclaveID = resource.status?.enclaveID ?? '';
  const { namespace } = scene.user;
  return (deployer: KeyHolder) => chainOf(network.id, { namespace, enclaveID, signers: { deployer } });
}

test('two owners who find the service without funds at the same time pay it once, also after a crash', async () => {
  const ben = Wallet.createRandom();
  await rpc().call('anvil_setBalance', [ben.address, `0x${(100n * ether).toString(16)}`]);
  const [one, other] = [holderOf(scene.wallet), holderOf(ben)];
  await rpc().call('evm_setAutomine', [false]);
  const chainOf = createProcess();
  const hashes = await Promise.all([
    chainOf(one).send('token/a/pay-service', payment, 'deployer'),
    chainOf(other).send('token/b/pay-service', payment, 'deployer'),
  ]);
  hashes.push(await createProcess()(other).send('token/b/pay-service', payment, 'deployer'));
  expect(new Set(hashes).size).toBe(1);
  await rpc().call('evm_mine', []);
  await rpc().call('evm_setAutomine', [true]);
  expect(BigInt(String(await rpc().call('eth_getBalance', [service, 'latest'])))).toBe(5n * ether);
});

test('a payment that was undone by a rollback is made again, once', async () => {
  const poor = Wallet.createRandom().address;
  const paying = () =>
    createProcess()(holderOf(scene.wallet)).send(
      'token/e/pay-service',
      { ...payment, to: poor, funds: poor },
      'deployer',
    );
  const snapshot = await rpc().call('evm_snapshot', []);
  const hash = await paying();
  const { namespace } = scene.user;
  const { items } = await kube.list(outboxType, { namespace });
  const head = items.find((one) => batchesOf(one).flatMap(hashesIn).includes(hash));
  if (!head) throw new Error('the payment is in no sender queue');
  const results = packResults([{ state: 'mined', block: 1, gasUsed: 21_000 }]);
  const batches = batchesOf(head).map((batch) => ({ ...batch, results }));
  await kube.replace(outboxType, withSpec(head, { ...head.spec, batches: packBatches(batches) }));
  expect(await paying()).toBe(hash);
  await rpc().call('evm_revert', [snapshot]);
  const again = await paying();
  expect(again).not.toBe(hash);
  expect(await paying()).toBe(again);
});

test('a step that was sent with a default key which its owner has replaced since is not sent again', async () => {
  const next = Wallet.createRandom();
  await rpc().call('anvil_setBalance', [next.address, `0x${ether.toString(16)}`]);
  const step = { to: service, data: '0x', value: 1n };
  const hash = await createProcess()(holderOf(scene.wallet)).send('token/d/step', step, 'deployer');
  await outboxes.waitFor(({ spec }) => spec.batches?.includes('token/d/step') === true, { timeoutMs: 5000 });
  expect(await createProcess()(holderOf(next)).send('token/d/step', step, 'deployer')).toBe(hash);
  expect(await createProcess()(holderOf(next)).send('token/d/other', step, 'deployer')).not.toBe(hash);
  expect(await countNonces(rpc(), next.address, 'pending')).toBe(1);
});

test('nothing is sent to a node that claims another chain id than the network', async () => {
  const { status, ...rest } = network.resource;
  const chain = createProcess({ ...rest, status: { ...status, chainID: '5' } })(holderOf(scene.wallet));
  const sending = chain.send('token/c/step', { to: service, data: '0x' }, 'deployer');
  await expect(sending).rejects.toMatchObject({
    reason: 'Unavailable',
    message: expect.stringContaining("the network's chain id is 5"),
  });
});

test.each<[string, Partial<NetworkResource['status']>, string]>([
  ['that is stopped', { state: 'Stopped' }, 'network "net" cannot be used: it is Stopped'],
  ['whose node is not reached', {}, 'network "net": the network\'s node cannot be used: it was not reached'],
])('what waits for a network %s says which one it is', async (_what, status, message) => {
  const { resource } = network;
  const at = { ...resource, status: { ...resource.status, ...status } };
  const away = () => createEvmRpc({ url: 'http://127.0.0.1:1' });
  const call = async () => createProcess(at, away)(holderOf(scene.wallet)).call('eth_chainId', []);
  await expect(call()).rejects.toMatchObject({
    reason: 'Unavailable',
    message: expect.stringContaining(message),
  });
});
