import { Contract, JsonRpcProvider, type TransactionReceipt, type TransactionRequest, Wallet } from 'ethers';
import type { ChainType } from '../../../api/resources/chainSpecs.ts';
import type { PlanInput } from '../../driver.ts';
import type { SystemContracts } from '../../systemContracts.ts';
import { planContext } from '../../testing/planContext.ts';
import type { EvmDriver } from '../driver.ts';
import { type RunningAnvil, startAnvil } from './startAnvil.ts';

export interface TestChain {
  url: string;
  chainId: string;
  provider: JsonRpcProvider;
  /** Holds the hot key. */
  wallet: Wallet;
  contractAt(address: string, abi: string[]): Contract;
  /** Sends and waits until the transaction is in a block. */
  send(request: TransactionRequest): Promise<TransactionReceipt>;
  stop(): Promise<void>;
}

export interface TestChainInput {
  type: ChainType;
  driver: EvmDriver;
  systemContracts?: SystemContracts;
  seed?: string;
  fork?: { url: string; blockHeight: string };
}

/** The hot key of tests: worthless anywhere else. */
const hotKey = `0x${'5e'.repeat(32)}`;

/** A running chain as planned by the driver, with a wallet of its hot key. */
export async function startTestChain(input: TestChainInput): Promise<TestChain> {
  const { driver, type, fork, systemContracts, seed = '00abcdef00' } = input;
  const chainId = driver.generateChainId(seed);
  const wallet = new Wallet(hotKey);
  const planInput: PlanInput = {
    chain: { type },
    chainId,
    hotAddress: wallet.address,
    mnemonicAddresses: [],
    ...planContext,
    ...(fork ? { fork } : {}),
    ...(systemContracts ? { systemContracts } : {}),
  };
  const [part] = driver.plan(planInput).parts;
  if (!part) throw new Error('the plan has no part');
  const anvil = await startAnvil(part, fork?.url);
  return connectTestChain(anvil, { chainId, wallet });
}

/** A running engine, with a wallet that holds the hot key. */
export function connectTestChain(
  { url, stop }: Pick<RunningAnvil, 'url' | 'stop'>,
  { chainId, wallet = new Wallet(hotKey) }: { chainId: string; wallet?: Wallet },
): TestChain {
  // No cache: tests read the engine's current state.
  const options = { staticNetwork: true, cacheTimeout: -1, pollingInterval: 20 };
  const provider = new JsonRpcProvider(url, undefined, options);
  const connected = wallet.connect(provider);
  return {
    url,
    chainId,
    provider,
    wallet: connected,
    contractAt: (address, abi) => new Contract(address, abi, connected),
    async send(request) {
      const sent = await connected.sendTransaction(request);
      const receipt = await sent.wait();
      if (!receipt) throw new Error('the transaction has no receipt');
      return receipt;
    },
    async stop() {
      provider.destroy();
      await stop();
    },
  };
}
