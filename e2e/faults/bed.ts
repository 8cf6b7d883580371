import { randomBytes } from 'node:crypto';
import { getAddress, JsonRpcProvider, type Wallet } from 'ethers';
import { readDefaultKey } from '../lib/accounts.ts';
import { getJson } from '../lib/cluster.ts';
import { endpointsOf, reach, remove } from '../lib/networks.ts';
import { type Answer, call, freshName, until } from '../lib/service.ts';
import type { CountEffects, Entry } from './ledger.ts';

/** One persistent network on which the writers' transactions are mined, and a way to count what was done. */
export interface Bed {
  networkId: string;
  networkName: string;
  wallet: Wallet;
  provider: JsonRpcProvider;
  countEffects: CountEffects;
  close(): Promise<void>;
}

export const submitPath = '/transaction/v1alpha1/transaction/submit';
export const submissionsPath = '/transaction/v1alpha1/transaction/submissions';

export async function createBed(): Promise<Bed> {
  const wallet = await readDefaultKey();
  const networkName = freshName('fault');
  const { status, body } = await call('POST', '/v1alpha/networks', {
    body: { name: networkName, spec: { persistent: true, chain: { type: 'Base', base: {} } } },
  });
  if (status !== 201) throw new Error(JSON.stringify(body));
  await reach(body.id, 'Operational');
  const { rpc = '' } = await endpointsOf(body.id);
  const provider = new JsonRpcProvider(rpc, undefined, { cacheTimeout: -1, staticNetwork: true });
  const networkId: string = body.id;
  return {
    networkId,
    networkName,
    wallet,
    provider,
    countEffects: (entry) => effectCounters[entry.kind as WriteKind](entry, { networkId, provider }),
    async close() {
      provider.destroy();
      await remove(networkId);
    },
  };
}

interface Place {
  networkId: string;
  provider: JsonRpcProvider;
}

export type WriteKind = 'network' | 'secret' | 'transaction';

/** The amount that every transaction sends to a receiver of its own, so that the balance counts the transfers. */
export const amount = 7n;

/** How often a write exists, read from where it takes effect. */
const effectCounters: Record<WriteKind, (entry: Entry, place: Place) => Promise<number>> = {
  secret: async ({ id }) => ((await call('GET', `/v1alpha/secrets/${id}`)).status === 200 ? 1 : 0),
  async network({ id }) {
    await reach(id, 'Operational');
    const { items } = await getJson('pods', '--selector', `slipway.dev/network=${id}`);
    return items.length;
  },
  async transaction({ mark, id }, { networkId, provider }) {
    const path = `${submissionsPath}/${id}?network_id=${networkId}`;
    const { body } = await until(
      `transaction ${id} to end`,
      () => call('GET', path),
      ({ body }: Answer) => ['mined', 'failed', 'dropped'].includes(body.state),
    );
    const count = Number((await provider.getBalance(mark)) / amount);
    // A transaction that was reported as dropped is not lost.
    return body.state === 'mined' || count > 0 ? count : 1;
  },
};

/** An address that nobody else uses. */
export const freshAddress = (): string => getAddress(`0x${randomBytes(20).toString('hex')}`);
