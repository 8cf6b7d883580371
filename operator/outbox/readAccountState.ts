import { z } from 'zod';
import { countCall, genesisCall, genesisOf, quantitySchema, read } from '../../core/evm/chainState.ts';
import type { EvmRpc } from '../../core/evm/rpc.ts';

/** What a node reports about a chain and an account on it. */
export interface AccountState {
  /** Hash of block 0. */
  genesis: string;
  /** Nonces used in blocks. */
  mined: number;
  /** Nonces used, including pending transactions that the node would mine next. */
  pending: number;
  blockGasLimit: bigint;
}

const latestBlockSchema = z.object({ gasLimit: quantitySchema });

/** Throws Unavailable when the node cannot be reached. */
export async function readAccountState(rpc: EvmRpc, account: string): Promise<AccountState> {
  const [genesis, mined, pending, latest] = await rpc.batch([
    genesisCall,
    countCall(account, 'latest'),
    countCall(account, 'pending'),
    { method: 'eth_getBlockByNumber', params: ['latest', false] },
  ]);
  return {
    genesis: genesisOf(genesis),
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
