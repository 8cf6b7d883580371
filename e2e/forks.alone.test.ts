import { JsonRpcProvider, toBeHex, toQuantity, type Wallet, zeroPadValue } from 'ethers';
import { getJson } from './lib/cluster.ts';
import { createHotKey, endpointsOf, type HotKey, reach, remove } from './lib/networks.ts';
import { configure, readRevision, rollBack } from './lib/release.ts';
import { call, freshName } from './lib/service.ts';

/**
 * Forks whose source is another network of this cluster. The contract is created with 42 in slot 0. A call without
 * data returns the slot; one with data replaces it.
 */
const runtimeCode = '36600c575f545f5260205ff35b5f355f5500';
const creationCode = `0x602a5f5571${runtimeCode}5f526012600ef3`;
const word = (value: number) => zeroPadValue(toBeHex(value), 32);

interface Chain {
  id: string;
  provider: JsonRpcProvider;
  wallet: Wallet;
}

let key: HotKey;
let address: string;
let revision: string;
let source: Chain;
let fork: Chain;
let forkOfFork: Chain;
const chains: Chain[] = [];

async function start(type: string, forking?: object): Promise<Chain> {
  const chain = { privateKeyRef: { name: key.name }, ...(forking ? { forking } : {}) };
  const { status, body } = await call('POST', '/v1alpha/networks', {
    body: { name: freshName('fork'), spec: { chain: { type, [type.toLowerCase()]: chain } } },
  });
  if (status !== 201) throw new Error(JSON.stringify(body));
  await reach(body.id, 'Operational');
  const { rpc } = await endpointsOf(body.id);
  const provider = new JsonRpcProvider(rpc, undefined, { cacheTimeout: -1 });
  const started = { id: body.id, provider, wallet: key.wallet.connect(provider) };
  chains.push(started);
  return started;
}

/** The URL of a network's engine inside the cluster. */
async function engineUrlOf({ id }: Chain): Promise<string> {
  const [service] = (await getJson('services', '--selector', `slipway.dev/network=${id}`)).items;
  return `http://${service.metadata.name}.${service.metadata.namespace}.svc:8545`;
}

const valueOn = async ({ provider }: Chain) => Number(await provider.call({ to: address }));

async function setValue({ wallet }: Chain, value: number): Promise<void> {
  await (await wallet.sendTransaction({ to: address, data: word(value) })).wait();
}

const proofOn = ({ provider }: Chain, block: string) =>
  provider.send('eth_getProof', [address, [word(0)], block]);

beforeAll(async () => {
  key = await createHotKey();
  source = await start('Ethereum');
  const receipt = await (await source.wallet.sendTransaction({ data: creationCode })).wait();
  address = receipt?.contractAddress ?? '';
  revision = await readRevision();
  await configure(`forkSources.Base=${await engineUrlOf(source)}`);
  fork = await start('Base', { enabled: true, blockHeight: 'latest' });
  await configure(`forkSources.Arbitrum=${await engineUrlOf(fork)}`);
});
afterAll(async () => {
  for (const { provider } of chains) provider.destroy();
  await Promise.all(chains.map(({ id }) => remove(id)));
  await rollBack(revision);
});

it('a fork has the state of its source, and status tells the block', async () => {
  expect(await valueOn(fork)).toBe(42);
  const { body } = await call('GET', `/v1alpha/networks/${fork.id}`);
  const block = toQuantity(body.status.fork.block);
  const hashes = [source, fork].map(async ({ provider }) => (await provider.getBlock(block))?.hash);
  expect(await hashes[0]).toBe(await hashes[1]);
});

it('a fork proves storage as its source does', async () => {
  const block = toQuantity(await source.provider.getBlockNumber());
  const proof = await proofOn(source, block);
  expect(proof.storageProof[0].value).toBe('0x2a');
  expect(await proofOn(fork, block)).toEqual(proof);
});

it('what is written to a fork stays there', async () => {
  await setValue(fork, 7);
  expect([await valueOn(fork), await valueOn(source)]).toEqual([7, 42]);
});

it('a fork of a fork begins with what was written to the first one', async () => {
  forkOfFork = await start('Arbitrum', { enabled: true, blockHeight: 'latest' });
  expect(await valueOn(forkOfFork)).toBe(7);
  await setValue(forkOfFork, 9);
  expect([await valueOn(forkOfFork), await valueOn(fork)]).toEqual([9, 7]);
});

it('a network forks from the source that a Secret of its workspace names, on an allowed host', async () => {
  const url = await engineUrlOf(source);
  const name = freshName('source');
  const data = Buffer.from(url).toString('base64');
  expect((await call('POST', '/v1alpha/secrets', { body: { name, type: 'rpc-url', data } })).status).toBe(
    201,
  );
  const forking = { enabled: true, blockHeight: 'latest', sourceRef: { name } };
  const refused = await call('POST', '/v1alpha/networks', {
    body: { name: freshName('fork'), spec: { chain: { type: 'Optimism', optimism: { forking } } } },
  });
  expect([refused.status, refused.body.details]).toMatchObject([
    400,
    [{ path: 'spec.chain.optimism.forking.sourceRef' }],
  ]);
  await configure('forks.ownSources.allowedHosts={.svc}', 'forks.ownSources.allowPrivateAddresses=true');
  const own = await start('Optimism', forking);
  expect(await valueOn(own)).toBe(42);
  const shown = await getJson('pods', '--selector', `slipway.dev/network=${own.id}`);
  const { body } = await call('GET', `/v1alpha/networks/${own.id}`);
  expect(JSON.stringify([shown, body])).not.toContain(url);
});

it('forks go on with what they have read when the source is gone', async () => {
  await remove(source.id);
  expect([await valueOn(fork), await valueOn(forkOfFork)]).toEqual([7, 9]);
  await setValue(fork, 8);
  expect([await valueOn(fork), await valueOn(forkOfFork)]).toEqual([8, 9]);
});
