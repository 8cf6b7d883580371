import type { Engines } from '../../api/installation.ts';
import type { SolanaSpec } from '../../api/resources/chainSpecs.ts';
import type { ErrorDetail } from '../../lib/errors.ts';
import {
  type ChainDriver,
  type EnginePart,
  type EnginePlan,
  forkUrlVariable,
  type PlanInput,
  podAddressVariable,
  type ReadinessCall,
} from '../driver.ts';
import { solanaHeadCall } from '../headCalls.ts';
import { refusePublicId } from '../publicIds.ts';
import { forkFlag, renderStartScript, scriptPath } from './startScript.ts';

const dataPath = '/data';
const ledgerPath = `${dataPath}/ledger`;
/** The validator serves WebSockets on the port after the one of JSON-RPC. */
const ports = { rpc: 8899, ws: 8900 };
const faucetPort = 9900;
/** Shreds whose transactions can be looked up. A slot has at least 32, of 1.2 KiB each, and as many for repair. */
const ledgerShreds = 100_000;

/** Programs of the genesis cannot be called in the genesis slot. */
const readinessCall: ReadinessCall = {
  method: 'getSlot',
  params: [{ commitment: 'confirmed' }],
  isAnswer: (slot) => typeof slot === 'number' && slot > 0,
};

/** Names of public clusters. Solana itself has no chain id: clusters are identified by the hash of their genesis. */
const publicIds: ReadonlySet<string> = new Set(['mainnet-beta', 'mainnet', 'testnet', 'devnet']);

/** Solana: one real validator with a faucet, solana-test-validator of Agave 3.1. */
export const solana: ChainDriver = {
  mnemonicAccounts: 0,
  hotKeyKind: 'solana',
  generateChainId: (seed) => `solana-${seed.slice(0, 8)}`,
  refuseChainId: (chainId, isFork) => refusePublicId(publicIds, chainId, isFork),
  refuse: (chain, engines) => refuse(chain.solana ?? {}, engines),
  headCall: solanaHeadCall,
  plan,
};

function refuse({ forking }: SolanaSpec, engines: Engines): ErrorDetail[] {
  if (!engines.solana) {
    const message = 'Solana is not yet available on this installation, which has no image for engines.solana';
    return [{ path: 'spec.chain.type', message }];
  }
  if (!forking?.enabled || forking.blockHeight === undefined || forking.blockHeight === 'latest') return [];
  const message =
    'is not supported: Solana nodes only serve the current state of accounts. Use "latest", or omit it';
  return [{ path: 'spec.chain.solana.forking.blockHeight', message }];
}

function plan({ hotAddress, fork, clone }: PlanInput): EnginePlan {
  const part: EnginePart = {
    name: 'validator',
    engine: 'solana',
    command: ['/bin/sh', scriptPath],
    args: [
      // Otherwise it logs into the ledger, without limit.
      ...['--ledger', ledgerPath, '--log'],
      // With 0.0.0.0 the validator would announce that as its own address, and exit.
      ...['--bind-address', `$(${podAddressVariable})`],
      ...['--rpc-port', String(ports.rpc), '--faucet-port', String(faucetPort)],
      ...['--limit-ledger-size', String(ledgerShreds)],
      ...(hotAddress === undefined ? [] : ['--mint', hotAddress]),
      ...(fork ? forkArgs(clone) : []),
    ],
    env: { RUST_LOG: 'warn' },
    files: { [scriptPath]: renderStartScript(ledgerPath) },
    ports,
    readyPort: 'rpc',
    readyPath: '/health',
    dataPath,
    losesChainWith: 'data',
  };
  return {
    parts: [part],
    readinessCall,
    services: { rpc: { part: 'validator', port: 'rpc' }, ws: { part: 'validator', port: 'ws' } },
    caveats: [
      'one validator, which leads every slot: no other votes, stakes or forks of the chain',
      ...(fork ? ['a fork has only the accounts and programs that the installation names'] : []),
    ],
  };
}

function forkArgs(clone: PlanInput['clone']): string[] {
  return [
    ...[forkFlag, `$(${forkUrlVariable})`],
    ...(clone?.accounts ?? []).flatMap((address) => ['--clone', address]),
    ...(clone?.programs ?? []).flatMap((address) => ['--clone-upgradeable-program', address]),
  ];
}
