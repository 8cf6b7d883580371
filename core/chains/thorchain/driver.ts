import type { ThorchainSpec } from '../../api/resources/chainSpecs.ts';
import type { EngineSet } from '../../engines/engineSet.ts';
import { compact } from '../../lib/compact.ts';
import type { ErrorDetail } from '../../lib/errors.ts';
import type { ChainDriver, EnginePart, EnginePlan, PlanInput } from '../driver.ts';
import { imageOfTag } from '../imageTag.ts';
import { refusePublicId } from '../publicIds.ts';
import { refuseImage } from '../refuseImage.ts';
import { renderGenesis } from './genesis.ts';
import { genesisPath, renderStartScript, scriptPath } from './startScript.ts';

const dataPath = '/data';
const ports = { rpc: 26_657, rest: 1317, grpc: 9090 };
const rune = 100_000_000n;

/** The defaults of a network whose spec names nothing. */
const defaults = {
  accountBalance: 1_000_000n * rune,
  bondAmount: 300_000n * rune,
  blockMaxBytes: 22_020_096,
  blockMaxGas: -1,
};
/** A smaller block has no room for a header with its commit and a transaction (CometBFT, types/block.go). */
const leastBlockBytes = 10_000;

const publicIds: ReadonlySet<string> = new Set([
  'thorchain-1',
  'thorchain-mainnet-v1',
  'thorchain-stagenet-2',
]);

const path = 'spec.chain.thorchain';
const noFork =
  'is not supported: a mocknet uses another address prefix than THORChain, and without the keys of its vaults and ' +
  'validators the copied chain could not continue. Omit it';

/** Thorchain: one real thornode, a validator of its own mocknet. */
export const thorchain: ChainDriver = {
  mnemonicAccounts: 0,
  hotKeyKind: 'thorchain',
  generateChainId: (seed) => `thorchain-${seed.slice(0, 8)}`,
  refuseChainId: (chainId, isFork) => refusePublicId(publicIds, chainId, isFork),
  engines: () => [{ engine: 'thornode', path: 'spec.chain.type' }],
  refuse: (chain, set) => refuse(chain.thorchain ?? {}, set),
  plan,
};

function refuse(spec: ThorchainSpec, set: EngineSet): ErrorDetail[] {
  const details = refuseImage(`${path}.image`, imageOf(spec), { set, name: 'thornode' });
  if (spec.forking?.enabled) details.push({ path: `${path}.forking`, message: noFork });
  const { blockMaxBytes = defaults.blockMaxBytes } = spec;
  if (blockMaxBytes < leastBlockBytes) {
    const message = `is too small for a transaction: use at least ${leastBlockBytes}`;
    details.push({ path: `${path}.blockMaxBytes`, message });
  }
  return details;
}

function imageOf({ image }: ThorchainSpec): string | undefined {
  return image === undefined ? undefined : imageOfTag(image);
}

/** Its ante handler reports unlimited gas for each transaction, which exceeds any limit of CometBFT's mempool. */
const gasCaveat =
  'a blockMaxGas other than -1 keeps every transaction out, because THORNode asks for unlimited gas';

function plan(input: PlanInput): EnginePlan {
  const spec = input.chain.thorchain ?? {};
  const part: EnginePart = {
    name: 'node',
    engine: 'thornode',
    ...compact({ image: imageOf(spec) }),
    command: ['/bin/sh', scriptPath],
    args: [
      ...['--rpc.laddr', `tcp://0.0.0.0:${ports.rpc}`],
      ...['--api.enable', '--api.address', `tcp://0.0.0.0:${ports.rest}`],
      ...['--grpc.enable', '--grpc.address', `0.0.0.0:${ports.grpc}`, '--grpc-web.enable'],
      // At a block per second, any volume would fill up: keep states of the last 10,000 blocks, and blocks of the last 100,000.
      ...['--pruning', 'custom', '--pruning-keep-recent', '10000', '--pruning-interval', '100'],
      ...['--min-retain-blocks', '100000'],
      // There are no peers.
      ...['--p2p.laddr', 'tcp://127.0.0.1:26656', '--p2p.pex=false'],
    ],
    env: { NET: 'mocknet', CHAIN_ID: input.chainId, THOR_BLOCK_TIME: '1s' },
    files: {
      [scriptPath]: renderStartScript(dataPath),
      [genesisPath]: genesisOf(input, spec),
    },
    ports,
    // REST answers from the first block on.
    readyPort: 'rest',
    readyPath: '/thorchain/nodes',
    dataPath,
    losesChainWith: 'data',
  };
  return {
    parts: [part],
    services: {
      rpc: { part: 'node', port: 'rpc' },
      rest: { part: 'node', port: 'rest' },
      grpc: { part: 'node', port: 'grpc' },
    },
    caveats: [
      'one validator without Bifrost: no vaults, no transfers from or to other chains',
      ...((spec.blockMaxGas ?? -1) === -1 ? [] : [gasCaveat]),
    ],
  };
}

function genesisOf({ chainId, hotAddress }: PlanInput, spec: ThorchainSpec): string {
  return renderGenesis({
    chainId,
    hotAddress,
    accountBalance: spec.accountBalance === undefined ? defaults.accountBalance : BigInt(spec.accountBalance),
    bondAmount: spec.bondAmount === undefined ? defaults.bondAmount : BigInt(spec.bondAmount),
    blockMaxBytes: spec.blockMaxBytes ?? defaults.blockMaxBytes,
    blockMaxGas: spec.blockMaxGas ?? defaults.blockMaxGas,
  });
}
