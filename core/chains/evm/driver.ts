import { chainTypes } from '../../api/resources/chainSpecs.ts';
import { historyOf } from '../../api/rules/history.ts';
import { toQuantity } from '../../lib/text/quantity.ts';
import {
  type ChainDriver,
  type EnginePart,
  type EnginePlan,
  forkUrlVariable,
  type PlanInput,
} from '../driver.ts';
import { evmHeadCall } from '../headCalls.ts';
import { refusePublicId } from '../publicIds.ts';
import type { EvmChain } from './chain.ts';
import { publicChainIds } from './publicChainIds.ts';
import { renderState } from './state.ts';

const rpcPort = 8545;
const statePath = '/etc/slipway/state.json';
/** Generated ids are between 2^30 and 2^31: no public chain uses that range, and they fit into 32 bits. */
const digitsOfIds = 10;

/**
 * A fork of an OP Stack rollup inherits its L1 prices. The engine charges them even to read-only calls, so it
 * would refuse each `eth_call` from an account without funds. Ethereum's rules have the same opcodes.
 */
const rulesOfOptimismForks = { network: 'ethereum', hardfork: 'prague' } as const;
const caveatOfOptimismForks = 'a fork charges no L1 fee';

export interface EvmDriver extends ChainDriver {
  facts: EvmChain;
}

/** The driver of an EVM chain on the evm-dev engine: one anvil process. Its flags are those of Foundry's anvil 1.7. */
export function createEvmDriver(facts: EvmChain): EvmDriver {
  return {
    facts,
    hotKeyKind: 'evm',
    mnemonicAccounts: 10,
    generateChainId(seed) {
      const idsOfPrefix = 10 ** (digitsOfIds - String(facts.chainIdPrefix).length);
      const offset = Number.parseInt(seed.slice(0, 8), 16) % idsOfPrefix;
      return String(facts.chainIdPrefix * idsOfPrefix + offset);
    },
    refuseChainId: (chainId, isFork) => refusePublicId(publicChainIds, chainId, isFork),
    engines: () => [{ engine: 'evm-dev', path: 'spec.chain.type' }],
    headCall: evmHeadCall,
    plan: (input) => planOf(facts, input),
  };
}

function planOf(facts: EvmChain, input: PlanInput): EnginePlan {
  const spec = evmSpecOf(input);
  const gasLimit = spec.gasLimit ?? facts.gasLimit;
  const isOptimismFork = input.fork !== undefined && facts.network === 'optimism';
  const part: EnginePart = {
    name: 'rpc',
    engine: 'evm-dev',
    args: [
      ...commonArgs(isOptimismFork ? { ...facts, ...rulesOfOptimismForks } : facts, input),
      ...(input.fork ? forkArgs(input.fork, spec) : ownArgs(facts, spec)),
      ...historyArgs(historyOf(input.chain)),
    ],
    files: { [statePath]: renderState(firstStateOf({ ...facts, gasLimit }, input)) },
    ports: { rpc: rpcPort },
    readyPort: 'rpc',
    // anvil 1.7 can stand still for good. Its image has the script.
    aliveCommand: ['/bin/bash', '/usr/local/bin/alive.sh', String(rpcPort)],
    launches: ['/bin/sh', '/usr/local/bin/entrypoint.sh'],
    // The engine's entry point starts the chain from the file, and stores the chain here.
    dataPath: '/data',
    tellsProcess: true,
    snapshotPath: '/etc/slipway/snapshot',
  };
  return {
    parts: [part],
    services: { rpc: { part: 'rpc', port: 'rpc' } },
    caveats: [...facts.caveats, ...(isOptimismFork ? [caveatOfOptimismForks] : [])],
    settings: settingsOf(facts, input, spec),
  };
}

interface EvmSpec {
  blockTime?: number | undefined;
  gasLimit?: number | undefined;
}

function evmSpecOf({ chain }: PlanInput): EvmSpec {
  const spec = chain[chainTypes[chain.type].member];
  return {
    blockTime: spec && 'blockTime' in spec ? spec.blockTime : undefined,
    gasLimit: spec && 'gasLimit' in spec ? spec.gasLimit : undefined,
  };
}

/** A fork that names no gas limit keeps its own, which only the engine knows. */
function settingsOf(facts: EvmChain, { fork }: PlanInput, { gasLimit, blockTime }: EvmSpec) {
  const limit = gasLimit ?? (fork ? undefined : facts.gasLimit);
  const limits = limit === undefined ? [] : [{ method: 'evm_setBlockGasLimit', params: [toQuantity(limit)] }];
  if (blockTime !== undefined) {
    return [...limits, { method: 'evm_setIntervalMining', params: [blockTime] }];
  }
  return [
    ...limits,
    { method: 'evm_setIntervalMining', params: [0] },
    { method: 'evm_setAutomine', params: [true] },
    // Automining starts with the next transaction; this mines those that are waiting.
    { method: 'evm_mine', params: [] },
  ];
}

/** A fork already has the public chain's own contracts, and its block is the fork's. */
function firstStateOf(facts: EvmChain, input: PlanInput) {
  const { systemContracts, fork } = input;
  const { feeRecipient } = facts;
  return {
    ...input,
    placements: fork || !systemContracts ? [] : facts.contracts,
    systemContracts: systemContracts ?? {},
    block: fork || feeRecipient === undefined ? undefined : { ...facts, feeRecipient },
  };
}

function commonArgs(facts: EvmChain, input: PlanInput): string[] {
  return [
    ...['--host', '0.0.0.0', '--port', String(rpcPort)],
    ...['--chain-id', input.chainId],
    ...(facts.network === 'ethereum' ? [] : ['--network', facts.network]),
    ...['--hardfork', facts.hardfork],
    // EIP-7825, which anvil has with Ethereum's limit only. Before Osaka, the flag has no effect.
    ...(facts.osakaGasCap === undefined ? ['--enable-tx-gas-limit'] : []),
    // No unlocked development accounts: only holders of the funded keys sign.
    ...['--accounts', '0'],
    // One block per epoch, so that the `safe` and `finalized` tags follow the head.
    ...['--slots-in-an-epoch', '1'],
    // Per block, in addition to the gas limit. When this many are pending, anvil 1.7 processes all of them repeatedly while
    // it mines, and at its default of 1,000 it soon does nothing else (crates/anvil/src/eth/miner.rs).
    ...['--max-transactions', '1000000'],
    // The gateway has a limit (rpc.maxBodyBytes), and names it; the engine's own of 2 MB answers without the id of the call.
    '--no-request-size-limit',
  ];
}

function ownArgs(facts: EvmChain, spec: EvmSpec): string[] {
  return [
    ...['--gas-limit', String(spec.gasLimit ?? facts.gasLimit)],
    ...['--block-base-fee-per-gas', String(facts.baseFeeWei)],
    ...blockTimeArgs(spec),
  ];
}

/** Gas limit and base fee continue from the fork's block unless the spec names a limit. */
function forkArgs(fork: { blockHeight: string }, spec: EvmSpec): string[] {
  return [
    ...['--fork-url', `$(${forkUrlVariable})`, '--no-storage-caching'],
    ...(fork.blockHeight === 'latest' ? [] : ['--fork-block-number', fork.blockHeight]),
    ...(spec.gasLimit === undefined ? [] : ['--gas-limit', String(spec.gasLimit)]),
    ...blockTimeArgs(spec),
  ];
}

/** anvil dumps all states that it has, so it has only those. */
function historyArgs(history: number | undefined): string[] {
  return history === undefined ? [] : ['--preserve-historical-states', '--prune-history', String(history)];
}

function blockTimeArgs({ blockTime }: EvmSpec): string[] {
  return blockTime === undefined ? [] : ['--block-time', String(blockTime)];
}
