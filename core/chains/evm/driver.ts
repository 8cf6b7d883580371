import { chainTypes } from '../../api/chainSpecs.ts';
import { type ChainDriver, type EnginePlan, forkUrlVariable, type PlanInput } from '../driver.ts';
import { renderGenesis } from './genesis.ts';
import { publicChainIds } from './publicChainIds.ts';

const rpcPort = 8545;
const genesisPath = '/etc/slipway/genesis.json';

/** EVM chains on the evm-dev engine: one anvil process. Its flags are those of Foundry's anvil 1.7. */
export const evmDriver: ChainDriver = {
  mnemonicAccounts: 10,
  generateChainId: (seed) => String(2 ** 30 + (Number.parseInt(seed.slice(0, 8), 16) % 2 ** 30)),
  refuseChainId(chainId, isFork) {
    if (isFork || !publicChainIds.has(chainId)) return undefined;
    return `chain id ${chainId} belongs to a public network: only a fork may use it. Choose another, or omit it`;
  },
  plan(input) {
    const spec = evmSpecOf(input);
    const part = {
      name: 'rpc',
      engine: 'evm-dev',
      args: anvilArgs(input, spec.blockTime),
      files: { [genesisPath]: renderGenesis({ ...input, gasLimit: spec.gasLimit }) },
      ports: { rpc: rpcPort },
      readyPort: 'rpc',
    } as const;
    return {
      parts: [part],
      services: { rpc: { part: 'rpc', port: 'rpc' } },
      caveats: [],
    } satisfies EnginePlan;
  },
};

interface EvmSpec {
  blockTime?: number | undefined;
  gasLimit?: number | undefined;
}

function evmSpecOf({ chain }: PlanInput): EvmSpec {
  const { member } = chainTypes[chain.type];
  return member === 'ethereum' ? (chain.ethereum ?? {}) : {};
}

function anvilArgs(input: PlanInput, blockTime: number | undefined): string[] {
  const args = ['--host', '0.0.0.0', '--port', String(rpcPort)];
  args.push('--init', genesisPath, '--chain-id', input.chainId);
  // No unlocked development accounts: whoever holds the funded keys signs.
  args.push('--accounts', '0');
  // One block an epoch, so that the `safe` and `finalized` tags follow the head.
  args.push('--slots-in-an-epoch', '1');
  if (blockTime !== undefined) args.push('--block-time', String(blockTime));
  if (input.fork) args.push('--fork-url', `$(${forkUrlVariable})`, '--no-storage-caching');
  if (input.fork && input.fork.blockHeight !== 'latest')
    args.push('--fork-block-number', input.fork.blockHeight);
  return args;
}
