import { z } from 'zod';
import { quantitySchema, read } from '../../core/evm/answers.ts';
import { chainIdCall, checkChainId, countCall } from '../../core/evm/chainState.ts';
import { type Instance, instanceCall, instanceOf } from '../../core/evm/instance.ts';
import type { EvmRpc } from '../../core/evm/rpc.ts';

/** What a node reports about a chain and an account on it. */
export interface AccountState {
  /** The process that answered. */
  instance: Instance;
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
  const [claimed, metadata, mined, pending, latest] = await rpc.batch([
    chainIdCall,
    instanceCall,
    countCall(account, 'latest'),
    countCall(account, 'pending'),
    { method: 'eth_getBlockByNumber', params: ['latest', false] },
  ]);
  checkChainId(claimed, chainId);
  return {
    instance: instanceOf(rpc, metadata),
    mined: Number(read(quantitySchema, mined)),
    pending: Number(read(quantitySchema, pending)),
    blockGasLimit: read(latestBlockSchema, latest).gasLimit,
  };
}
