import { z } from 'zod';
import { quantitySchema, read } from '../../core/evm/answers.ts';
import { type ChainIdentity, identityCalls, identityOf } from '../../core/evm/chainIdentity.ts';
import { chainIdCall, checkChainId, countCall } from '../../core/evm/chainState.ts';
import type { EvmRpc } from '../../core/evm/rpc.ts';

/** What a node reports about a chain and an account on it. */
export interface AccountState {
  identity: ChainIdentity;
  /** Nonces used in blocks. */
  mined: number;
  /** Nonces used, including pending transactions that the node would mine next. */
  pending: number;
  blockGasLimit: bigint;
}

const latestBlockSchema = z.object({ gasLimit: quantitySchema });

/** Throws Unavailable when the node cannot be reached, or claims another chain id than the network's. */
export async function readAccountState(
  rpc: EvmRpc,
  { account, chainId }: { account: string; chainId: string },
): Promise<AccountState> {
  const [claimed, first, metadata, mined, pending, latest] = await rpc.batch([
    chainIdCall,
    ...identityCalls,
    countCall(account, 'latest'),
    countCall(account, 'pending'),
    { method: 'eth_getBlockByNumber', params: ['latest', false] },
  ]);
  checkChainId(claimed, chainId);
  return {
    identity: await identityOf(rpc, [first, metadata]),
    mined: Number(read(quantitySchema, mined)),
    pending: Number(read(quantitySchema, pending)),
    blockGasLimit: read(latestBlockSchema, latest).gasLimit,
  };
}

/** Which of the transactions a node knows, mined or pending. */
export async function areKnown(rpc: EvmRpc, hashes: readonly string[]): Promise<boolean[]> {
  const calls = hashes.map((hash) => ({ method: 'eth_getTransactionByHash', params: [hash] }));
  const outcomes = await rpc.batch(calls);
  return outcomes.map((outcome) => read(z.looseObject({}).nullable(), outcome) !== null);
}
