import { Wallet } from 'ethers';
import { systemContractsForTests } from '../../../hack/contracts/forTests.ts';
import type { ChainType } from '../../api/resources/chainSpecs.ts';
import type { EvmDriver } from '../../chains/evm/driver.ts';
import { startTestChain, type TestChain } from '../../chains/evm/testing/testChain.ts';
import type { SentTransaction, TokenPorts } from '../../deploy/ports.ts';
import { createMemoryProgress, type ProgressStore } from '../../deploy/progress.ts';
import type { Accounts, Signer } from '../../deploy/step.ts';
import { createEvmRpc, type EvmRpc } from '../../evm/rpc.ts';
import { systemClock } from '../../lib/clock.ts';

/** A running engine of a chain type, as a network of tokens. */
export interface TestNetwork {
  id: string;
  chain: TestChain;
  rpc: EvmRpc;
}

/** Keys for tests, worthless anywhere else. The deployer's is the hot key of every test chain. */
const wallets: Record<Signer, Wallet> = {
  deployer: new Wallet(`0x${'5e'.repeat(32)}`),
  service: new Wallet(`0x${'5f'.repeat(32)}`),
};

export const accounts: Accounts = {
  deployer: wallets.deployer.address,
  service: wallets.service.address,
};

/** Engines of these types. The service's account is empty, so that tokens pay for it. */
async function startNetworks(types: [ChainType, EvmDriver][]): Promise<TestNetwork[]> {
  const systemContracts = systemContractsForTests();
  return Promise.all(
    types.map(async ([type, driver], index) => {
      const chain = await startTestChain({ type, driver, systemContracts, seed: `00abcde${index}00` });
      return { id: `${type.toLowerCase()}-${index}`, chain, rpc: createEvmRpc({ url: chain.url }) };
    }),
  );
}

/** Networks for a suite: started before its own beforeAll, stopped after its last test. */
export function useNetworks(types: [ChainType, EvmDriver][]): TestNetwork[] {
  const networks: TestNetwork[] = [];
  beforeAll(async () => void networks.push(...(await startNetworks(types))));
  afterAll(() => Promise.all(networks.map(({ chain }) => chain.stop())));
  return networks;
}

/** What survives a process: the transactions by idempotency key, and the progress. */
export interface Durable {
  sent: Map<string, string>;
  progress: ProgressStore;
  /** By signer and network: nonces are assigned one after the other, whichever process asks. */
  lanes: Map<string, Promise<unknown>>;
}

export function createDurable(): Durable {
  return { sent: new Map(), progress: createMemoryProgress(), lanes: new Map() };
}

/** Points at which a process may be killed. */
export type KillPoint = 'before send' | 'after send' | 'before save' | 'after save';
export type Hook = (point: KillPoint, name: string) => void;

/** Ports of one process. `hook` is called at each point and throws when the process is killed there. */
export function portsOf(networks: TestNetwork[], durable: Durable, hook: Hook = () => undefined): TokenPorts {
  const { sent, progress, lanes } = durable;
  const inOrder = <T>(lane: string, work: () => Promise<T>): Promise<T> => {
    const next = (lanes.get(lane) ?? Promise.resolve()).catch(() => undefined).then(work);
    lanes.set(lane, next);
    return next;
  };
  return {
    accounts,
    clock: systemClock,
    progress: {
      load: progress.load,
      async save(scope, step, value) {
        hook('before save', `${scope}/${step}`);
        await progress.save(scope, step, value);
        hook('after save', `${scope}/${step}`);
      },
    },
    async chain(id) {
      const network = networks.find((one) => one.id === id);
      if (!network) throw new Error(`no network ${id}`);
      return {
        call: (method, params) => network.rpc.call(method, params),
        send: (idempotencyKey, transaction, signer) =>
          inOrder(`${id}/${signer}`, async () => {
            hook('before send', idempotencyKey);
            const hash = sent.get(idempotencyKey) ?? (await broadcast(network, transaction, signer));
            sent.set(idempotencyKey, hash);
            hook('after send', idempotencyKey);
            return hash;
          }),
      };
    },
  };
}

async function broadcast(
  { rpc, chain }: TestNetwork,
  { to, data, value = 0n, gasLimit }: SentTransaction,
  signer: Signer,
) {
  const { address } = wallets[signer];
  const request = { from: address, data, ...(to ? { to } : {}), value: `0x${value.toString(16)}` };
  const gas = gasLimit ?? BigInt(String(await rpc.call('eth_estimateGas', [request])));
  const block = await chain.provider.getBlock('latest');
  const nonce = Number(await rpc.call('eth_getTransactionCount', [address, 'pending']));
  const signed = await wallets[signer].signTransaction({
    ...(to ? { to } : {}),
    data,
    value,
    nonce,
    gasLimit: gas,
    maxPriorityFeePerGas: 1_000_000_000n,
    maxFeePerGas: (block?.baseFeePerGas ?? 0n) * 2n + 1_000_000_000n,
    chainId: BigInt(chain.chainId),
    type: 2,
  });
  return String(await rpc.call('eth_sendRawTransaction', [signed]));
}

/** How many transactions each account has sent, which is its nonce. */
export async function noncesOf(network: TestNetwork): Promise<Record<Signer, number>> {
  const count = async (address: string) =>
    Number(await network.rpc.call('eth_getTransactionCount', [address, 'latest']));
  return { deployer: await count(accounts.deployer), service: await count(accounts.service) };
}
