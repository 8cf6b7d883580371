import { Contract, ContractFactory, JsonRpcProvider, parseEther, Wallet } from 'ethers';
import { startTestApi, type TestApi } from '../../../apiserver/testing/harness.ts';
import { idempotencyRecordType, networkType, tokenType } from '../../../core/api/resources/resources.ts';
import { aToken } from '../../../core/api/testing/builders.ts';
import { awaitReceipts } from '../../../core/evm/receipts.ts';
import { createEvmRpc } from '../../../core/evm/rpc.ts';
import { createFakeKube, type FakeKube } from '../../../core/kube/testing/fake/fake.ts';
import {
  type ChainScene,
  createChainScene,
  type SceneNetwork,
  sceneSealer,
} from '../../../core/outbox/testing/scene.ts';
import { tokenContractsForTests } from '../../../hack/contracts/forTests.ts';

const requestsPerHour = 30;
let kube: FakeKube;
let scene: ChainScene;
let network: SceneNetwork;
let api: TestApi;
let provider: JsonRpcProvider;
beforeAll(async () => {
  kube = createFakeKube();
  scene = await createChainScene(kube);
  network = await scene.addNetwork('first');
  const { namespace } = scene.user;
  const users = [scene.user, { userId: 'vic', workspaceId: 'one', namespace, role: 'viewer' } as const];
  api = await startTestApi({
    kube,
    users,
    upstreams: scene.upstreams,
    sealer: sceneSealer,
    settings: { faucet: { requestsPerHour } },
  });
  provider = new JsonRpcProvider(network.url, undefined, { staticNetwork: true, cacheTimeout: -1 });
});
afterAll(async () => {
  provider.destroy();
  await api.close();
  await scene.stop();
});

const ask = (body: object, more: object = {}) =>
  api.request(`/v1alpha/networks/${network.id}/faucet`, { body, ...more });
const mined = (hashes: string[]) =>
  awaitReceipts(createEvmRpc({ url: network.url }), hashes, { timeoutMs: 10_000 });
const newAddress = () => Wallet.createRandom().address;

/** As if the process had ended before it stored its answers: the next attempts run the handler again. */
async function loseAnswers(): Promise<void> {
  for (const { metadata } of (await kube.list(idempotencyRecordType)).items) {
    const spec = { answer: null, heldUntil: '2020-01-01T00:00:00Z' };
    await kube.patch(idempotencyRecordType, metadata, { spec });
  }
}

/** A token with a cap of 50 units, of which the user holds some; whose owner may mint. */
async function addToken(name: string, { held = 0n, owner = scene.wallet.address, wraps = false } = {}) {
  const signer = scene.wallet.connect(provider);
  const { abi, bytecode } = tokenContractsForTests().erc20('CappedToken');
  const factory = new ContractFactory(abi, bytecode, signer);
  const deployed = await factory.deploy(name, 'TOK', 2, 5000n, held, scene.wallet.address);
  await deployed.waitForDeployment();
  const address = await deployed.getAddress();
  const contract = new Contract(address, abi, signer);
  if (owner !== scene.wallet.address) await (await contract.getFunction('transferOwnership')(owner)).wait();
  const args = wraps ? { underlying_token_address: address } : { total_supply: '5000' };
  const deployments = [{ network: 'first', networkID: network.id, args }];
  const token = aToken({
    name,
    namespace: scene.user.namespace,
    // What a request to wrap says when it names no decimals.
    spec: { symbol: 'TOK', decimals: wraps ? 18 : 2, deployments },
  });
  const status = { deployments: [{ network: 'first', networkID: network.id, tokenAddress: address }] };
  return { id: kube.seed(tokenType, { ...token, status }).metadata.uid, contract };
}

describe('native coins', () => {
  it('are paid with a transaction from the account of the caller: one when no amount is named', async () => {
    const address = newAddress();
    const { status, json } = await ask({ address });
    expect([status, json]).toEqual([202, { txHashes: [expect.stringMatching(/^0x[0-9a-f]{64}$/)] }]);
    expect(await mined(json.txHashes)).toMatchObject([{ isSuccess: true }]);
    expect(await provider.getBalance(address)).toBe(parseEther('1'));
    expect((await provider.getTransaction(json.txHashes[0]))?.from).toBe(scene.wallet.address);
  });

  it('are paid once for one Idempotency-Key, also when the first answer was lost', async () => {
    const address = newAddress();
    const headers = { 'Idempotency-Key': 'gift' };
    const first = await ask({ address, amount: '7' }, { headers });
    const again = await ask({ address, amount: '7' }, { headers });
    await loseAnswers();
    const repeated = await ask({ address, amount: '7' }, { headers });
    expect([again.json, repeated.json]).toEqual([first.json, first.json]);
    await mined(first.json.txHashes);
    expect(await provider.getBalance(address)).toBe(7n);
    expect((await ask({ address, amount: '8' }, { headers })).status).toBe(409);
  });
});

describe('tokens of the service', () => {
  it('are transferred from what the caller holds', async () => {
    const { id, contract } = await addToken('held', { held: 5000n });
    const address = newAddress();
    const { json } = await ask({ address, token: id });
    expect(await mined(json.txHashes)).toMatchObject([{ isSuccess: true }]);
    expect(await contract.getFunction('balanceOf')(address)).toBe(100n);
    expect(await contract.getFunction('totalSupply')()).toBe(5000n);
  });

  it('are given in the units that a wrapped contract says', async () => {
    const { id, contract } = await addToken('wrapped', { held: 5000n, wraps: true });
    const address = newAddress();
    const { json } = await ask({ address, token: id });
    expect(await mined(json.txHashes)).toMatchObject([{ isSuccess: true }]);
    expect(await contract.getFunction('balanceOf')(address)).toBe(100n);
  });

  it('are given once, also when the first answer was lost and nothing is left to transfer', async () => {
    const { id, contract } = await addToken('last', { held: 100n, owner: newAddress() });
    const address = newAddress();
    const headers = { 'Idempotency-Key': 'last-gift' };
    const first = await ask({ address, token: id }, { headers });
    await mined(first.json.txHashes);
    await loseAnswers();
    expect((await ask({ address, token: id }, { headers })).json).toEqual(first.json);
    expect(await contract.getFunction('totalSupply')()).toBe(100n);
  });

  it('are minted when the caller does not hold enough and may mint', async () => {
    const { id, contract } = await addToken('mintable', { held: 10n });
    const address = newAddress();
    const { json } = await ask({ address, token: id, amount: '11' });
    expect(await mined(json.txHashes)).toMatchObject([{ isSuccess: true }]);
    expect(await contract.getFunction('balanceOf')(address)).toBe(11n);
    expect(await contract.getFunction('totalSupply')()).toBe(21n);
  });

  it('that the caller neither holds nor may mint are 409 with both reasons, and nothing is sent', async () => {
    const { id } = await addToken('foreign', { owner: newAddress() });
    const before = await provider.getTransactionCount(scene.wallet.address);
    const { status, json } = await ask({ address: newAddress(), token: id });
    expect([status, json.message]).toEqual([
      409,
      expect.stringMatching(/transfer reverted.*; mint reverted/),
    ]);
    expect(await provider.getTransactionCount(scene.wallet.address)).toBe(before);
  });
});

describe('what the faucet refuses', () => {
  const address = '0x00000000000000000000000000000000000000aa';
  it.each([
    ['more than the limit', { amount: String(parseEther('100') + 1n) }, 'amount', '(faucet.maxAmount)'],
    ['nothing', { amount: '0' }, 'amount', 'must be from 1'],
    ['an unknown token', { token: '00000000-0000-4000-8000-000000000000' }, 'token', 'no token has this id'],
    ['an address that is none', { address: 'ann' }, 'address', 'use an address'],
  ])('%s is 400', async (_what, body, path, message) => {
    const { status, json } = await ask({ address, ...body });
    expect([status, json.details]).toEqual([400, [{ path, message: expect.stringContaining(message) }]]);
  });

  it('a token that is not deployed on the network is 400, and one that is not deployed yet 409', async () => {
    const { namespace } = scene.user;
    const deployments = [{ network: 'first', networkID: network.id, args: { total_supply: '1' } }];
    const pending = kube.seed(tokenType, aToken({ name: 'pending', namespace, spec: { deployments } }));
    const elsewhere = kube.seed(
      tokenType,
      aToken({
        name: 'elsewhere',
        namespace,
        spec: { deployments: [{ network: 'x', networkID: 'y', args: {} }] },
      }),
    );
    const codes = [elsewhere, pending].map(
      async ({ metadata }) => (await ask({ address, token: metadata.uid })).status,
    );
    expect(await Promise.all(codes)).toEqual([400, 409]);
  });

  it('more than the account has is 409, with the remedy', async () => {
    const balance = await provider.getBalance(scene.wallet.address);
    await provider.send('anvil_setBalance', [scene.wallet.address, '0x1']);
    const { status, json } = await ask({ address });
    await provider.send('anvil_setBalance', [scene.wallet.address, `0x${balance.toString(16)}`]);
    expect([status, json.message]).toEqual([409, expect.stringMatching(/cannot pay: .*anvil_setBalance/)]);
  });

  it.each([
    ['Solana', 'requestAirdrop'],
    ['Thorchain', 'send a transaction'],
    ['LayerZero', 'send a transaction'],
  ])('a network of type %s is 400 with a remedy', async (type, remedy) => {
    const metadata = { name: type.toLowerCase(), namespace: scene.user.namespace };
    const spec = { chain: { type: type as 'Solana' } };
    const { uid } = kube.seed(networkType, { ...network.resource, metadata, spec }).metadata;
    const { status, json } = await api.request(`/v1alpha/networks/${uid}/faucet`, { body: { address } });
    expect([status, json.message]).toEqual([400, expect.stringContaining(remedy)]);
  });

  it('a network in state Error is 409 with its reason', async () => {
    const metadata = { name: 'failed', namespace: scene.user.namespace };
    const status = { state: 'Error', message: 'secret "key" does not exist' } as const;
    const { uid } = kube.seed(networkType, { ...network.resource, metadata, status }).metadata;
    const answer = await api.request(`/v1alpha/networks/${uid}/faucet`, { body: { address } });
    expect([answer.status, answer.json.message]).toEqual([409, expect.stringContaining(status.message)]);
  });

  it('a viewer is 403', async () => {
    expect((await ask({ address }, { as: 'vic' })).status).toBe(403);
  });

  it('more requests than an hour allows are 429; those that were refused do not count', async () => {
    const token = '00000000-0000-4000-8000-000000000000';
    for (let at = 0; at < requestsPerHour; at++) await ask({ address, token });
    expect((await ask({ address, amount: '1' })).status).toBe(202);
    const codes = new Set<number>();
    for (let at = 0; at < requestsPerHour && !codes.has(429); at++) {
      codes.add((await ask({ address, amount: '1' })).status);
    }
    expect([...codes].sort()).toEqual([202, 429]);
  });

  it('an installation without a faucet is 403', async () => {
    const off = await startTestApi({
      kube,
      users: [scene.user],
      sealer: sceneSealer,
      settings: { faucet: { maxAmount: 0 } },
    });
    const { status, json } = await off.request(`/v1alpha/networks/${network.id}/faucet`, {
      body: { address },
    });
    await off.close();
    expect([status, json.message]).toEqual([403, expect.stringContaining('faucet.maxAmount is 0')]);
  });
});
