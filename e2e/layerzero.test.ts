import { parseEther, zeroPadValue } from 'ethers';
import { readDefaultKey } from './lib/accounts.ts';
import { getJson, kubectl } from './lib/cluster.ts';
import { endpointsOf, reach, remove } from './lib/networks.ts';
import { type Answer, call, freshName, until } from './lib/service.ts';
import {
  type Chain,
  cast,
  contractOn,
  deploymentOn,
  deployToken,
  startChain,
  takenBack,
  tokensPath,
} from './lib/tokens.ts';

const oftAbi = [
  'function quoteSend((uint32 dstEid, bytes32 to, uint256 amountLD, uint256 minAmountLD, bytes extraOptions, bytes composeMsg, bytes oftCmd), bool) view returns ((uint256 nativeFee, uint256 lzTokenFee))',
  'function send((uint32 dstEid, bytes32 to, uint256 amountLD, uint256 minAmountLD, bytes extraOptions, bytes composeMsg, bytes oftCmd), (uint256 nativeFee, uint256 lzTokenFee), address) payable',
];
const name = freshName('mesh');
let [a, b]: Chain[] = [];
let meshId = '';
let tokenId = '';

beforeAll(async () => {
  const wallet = await readDefaultKey();
  [a, b] = await Promise.all(['Arbitrum', 'Optimism'].map((type) => startChain(type, wallet)));
});
afterAll(async () => {
  if (tokenId) await call('DELETE', `${tokensPath}/${tokenId}`);
  if (meshId) await remove(meshId);
  for (const chain of [a, b]) {
    chain?.provider.destroy();
    if (chain) await remove(chain.id);
  }
});

const over = (...names: string[]) => ({
  chain: {
    type: 'LayerZero',
    layerzero: { networks: names.map((member) => ({ networkRef: { name: member } })) },
  },
});
const create = (spec: object): Promise<Answer> => call('POST', '/v1alpha/networks', { body: { name, spec } });
// biome-ignore lint/suspicious/noExplicitAny: a REST response
const memberOn = (network: any, chain: Chain) =>
  network.status.layerzero.members.find(({ networkID }: { networkID: string }) => networkID === chain.id);

function members(): [Chain, Chain] {
  if (!a || !b) throw new Error('the members did not start');
  return [a, b];
}

test('a member that does not exist gets 400 with its path', async () => {
  const { status, body } = await create(over(members()[0].name, 'nowhere'));
  expect(status).toBe(400);
  expect(body.details).toMatchObject([{ path: 'spec.chain.layerzero.networks[1].networkRef.name' }]);
});

test('a LayerZero network spans two chain types and reports endpoints, with code on each member, over REST and kubectl', async () => {
  const { status, body } = await create(over(...members().map((chain) => chain.name)));
  expect(status).toBe(201);
  meshId = body.id;
  const network = await reach(meshId, 'Operational');
  expect(network.status).toMatchObject({
    execution: { currentStep: 3, totalSteps: 3 },
    chainSpecHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    lastWakeUpAt: expect.any(String),
  });
  const urls = await endpointsOf(meshId);
  const resource = await getJson('network', name);
  for (const chain of members()) {
    const { endpoint, eid } = memberOn(network, chain);
    expect(memberOn(resource, chain)).toMatchObject({ endpoint, eid });
    expect(await cast(chain, endpoint, 'eid()(uint32)')).toBe(String(eid));
    const own = await endpointsOf(chain.id);
    expect([urls[`${chain.name}-rpc`], urls[`${chain.name}-ws`]]).toEqual([own.rpc, own.ws]);
  }
  const { code } = await kubectl(['wait', `network/${name}`, '--for=condition=Ready', '--timeout=10s']);
  expect(code).toBe(0);
});

test('a member cannot be deleted over REST while a LayerZero network refers to it', async () => {
  const { status, body } = await call('DELETE', `/v1alpha/networks/${members()[0].id}`);
  expect(status).toBe(409);
  expect(body.message).toContain(name);
});

test('an OFT deployed with the Token API moves between the members, also after one of them was rolled back', async () => {
  const network = await reach(meshId, 'Operational');
  const deployments = members().map((chain) => ({
    network_id: chain.id,
    args: { total_supply: String(10n ** 24n), layer_zero_endpoint: memberOn(network, chain).endpoint },
  }));
  const token = await deployToken('oft', { deployments });
  tokenId = token.id;
  const addressOn = (chain: Chain): string => deploymentOn(token, chain).token_address;
  const supplies = async () =>
    Promise.all(
      members().map(async (chain) => BigInt(await cast(chain, addressOn(chain), 'totalSupply()(uint256)'))),
    );
  const send = async (from: Chain, to: Chain, amount: bigint) => {
    const owner = from.wallet.address;
    const { eid } = memberOn(network, to);
    const param = [eid, zeroPadValue(owner, 32), amount, amount, '0x', '0x', '0x'];
    const oft = contractOn(from, addressOn(from), oftAbi);
    const [fee] = await oft.getFunction('quoteSend')(param, false);
    await (await oft.getFunction('send')(param, [fee, 0n], owner, { value: fee })).wait();
  };
  const arrives = (atA: bigint, atB: bigint) =>
    until('the tokens to arrive', supplies, ([one, other]) => one === atA && other === atB);
  const [first, second] = members();
  const [atA = 0n, atB = 0n] = await supplies();
  const unit = parseEther('1');
  await send(first, second, 5n * unit);
  await arrives(atA - 5n * unit, atB + 5n * unit);
  await send(second, first, 2n * unit);
  await arrives(atA - 3n * unit, atB + 3n * unit);
  // What arrived from a block that was rolled back stays, and the endpoint takes each nonce of a path once.
  await takenBack(first, async () => {
    await send(first, second, unit);
    await arrives(atA - 4n * unit, atB + 4n * unit);
  });
  await arrives(atA - 3n * unit, atB + 4n * unit);
  await send(first, second, 10n * unit);
  await send(first, second, 20n * unit);
  await arrives(atA - 33n * unit, atB + 24n * unit);
});

test('a member that is reset gets a new endpoint, and the network becomes Operational again', async () => {
  const [first, second] = members();
  const before = await reach(meshId, 'Operational');
  const { body } = await call('GET', `/v1alpha/networks/${second.id}`);
  const maintenanceRequest = { action: 'ResetState', nonce: 1 };
  const replaced = await call('PUT', `/v1alpha/networks/${second.id}`, {
    body: { name: second.name, spec: { ...body.spec, maintenanceRequest } },
  });
  expect(replaced.status).toBe(200);
  const { body: after } = await until(
    'a new endpoint',
    () => call('GET', `/v1alpha/networks/${meshId}`),
    ({ body: { status } }) => status?.state === 'Operational' && status.enclaveID !== before.status.enclaveID,
  );
  // The connection to the new endpoint is a newer transaction on it.
  const { anchor: _, ...kept } = memberOn(before, first);
  expect(memberOn(after, first)).toMatchObject(kept);
  const { endpoint, eid } = memberOn(after, second);
  expect(eid).not.toBe(memberOn(before, second).eid);
  expect(await cast(second, endpoint, 'eid()(uint32)')).toBe(String(eid));
});
