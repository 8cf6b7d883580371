import { JsonRpcProvider, type Wallet } from 'ethers';
import { successBody } from '../lib/accounts.ts';
import { getJson } from '../lib/cluster.ts';
import { endpointsOf, reach, untilMined } from '../lib/networks.ts';
import { call, freshName, until } from '../lib/service.ts';
import { type Chain, startChain } from '../lib/tokens.ts';
import { post, transactions } from './data.ts';

/** What an upgrade meets in the middle: a recording, a LayerZero network, and a persistent network that is stopped. */
export interface UnderWay {
  /** Sends a transaction of the recorded account, waits until it is mined, and returns its hash. */
  send(): Promise<string>;
  recordingState(): Promise<string>;
  /** Stops the recording; the hashes that it has, in order. */
  recorded(): Promise<string[]>;
  /** The state and the endpoints of the LayerZero network. */
  mesh(): Promise<unknown>;
  /** What is known of the chain of the stopped network, once it runs again. */
  wake(): Promise<unknown>;
  /** The same, from before it was stopped. */
  before: unknown;
}

export async function startUnderWay(chain: Chain, wallet: Wallet): Promise<UnderWay> {
  const other = await startChain('Arbitrum', wallet);
  const networks = [chain, other].map(({ name }) => ({ networkRef: { name } }));
  const mesh = await createNetwork({ chain: { type: 'LayerZero', layerzero: { networks } } });
  const sleeper = await createNetwork({ persistent: true, chain: { type: 'Base', base: {} } });
  const hash = await sendOn(sleeper.id, wallet.address);
  const before = await chainOf(sleeper.id, hash);
  await post(`/v1alpha/networks/${sleeper.id}/stop`, {});
  // Who asks for a network over REST wakes it.
  await until(
    'the network to stop',
    () => getJson('network', sleeper.name),
    ({ status }) => status.state === 'Stopped',
  );
  const recording = await post(`${transactions}/recording/start`, {
    userAddress: wallet.address,
    networkIds: [other.id],
  });
  const recordingId = recording.recordingId ?? '';
  return {
    before,
    send: () => sendOn(other.id, wallet.address),
    async recordingState() {
      const { state = '' } = await successBody(call('GET', `${transactions}/recording/${recordingId}`));
      return state;
    },
    async recorded() {
      const { recorded_data } = await successBody(
        call('POST', `${transactions}/recording/stop`, { body: { recordingId } }),
      );
      return recorded_data.networks[other.id].transactions.map(({ hash }: { hash: string }) => hash);
    },
    async mesh() {
      const { status } = await reach(mesh.id, 'Operational');
      return status.layerzero.members.map(({ networkID, eid, endpoint }: Record<string, unknown>) => ({
        networkID,
        eid,
        endpoint,
      }));
    },
    async wake() {
      await post(`/v1alpha/networks/${sleeper.id}/wake`, {});
      await reach(sleeper.id, 'Operational');
      return chainOf(sleeper.id, hash);
    },
  };
}

async function createNetwork(spec: object): Promise<{ id: string; name: string }> {
  const name = freshName('upgrade');
  const { id = '' } = await post('/v1alpha/networks', { name, spec });
  await reach(id, 'Operational');
  return { id, name };
}

async function sendOn(network: string, address: string): Promise<string> {
  const item = { from: address, to: address, value: '1', data: '0x' };
  const { tx_hashes_by_network: sent } = await successBody(
    call('POST', `${transactions}/submit`, { body: { transactions_by_network: { [network]: [item] } } }),
  );
  const [hash = ''] = sent[network];
  await untilMined(network, hash);
  return hash;
}

/** Block 0, and the block of a transaction. */
async function chainOf(network: string, hash: string): Promise<unknown> {
  const { rpc } = await endpointsOf(network);
  const provider = new JsonRpcProvider(rpc, undefined, { cacheTimeout: -1 });
  try {
    const [first, receipt] = await Promise.all([provider.getBlock(0), provider.getTransactionReceipt(hash)]);
    return { first: first?.hash, block: receipt?.blockHash, number: receipt?.blockNumber };
  } finally {
    provider.destroy();
  }
}
