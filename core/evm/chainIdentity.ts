import { z } from 'zod';
import { read, resultIn } from './answers.ts';
import type { EvmRpc, RpcCall, RpcOutcome } from './rpc.ts';

/**
 * What tells a chain from others with the same chain id, as text that can be stored.
 *
 * Usually that is the hash of block 0. Forks of one chain share that block, so a fork adds the hash of its own first
 * block, empty while it has none, and the id of its anvil process: `<genesis>/<first own block>/<process>`.
 */
export type ChainIdentity = string;

/** Calls that the identity is read from; put them together with others into one batch. */
export const identityCalls: readonly [RpcCall, RpcCall] = [
  { method: 'eth_getBlockByNumber', params: ['0x0', false] },
  { method: 'anvil_metadata', params: [] },
];

const blockSchema = z.object({ hash: z.string() });
const metadataSchema = z.object({
  instanceId: z.string().regex(/^0x[0-9a-f]{1,64}$/),
  forkedNetwork: z.object({ forkBlockNumber: z.int().min(0) }).nullish(),
});

/**
 * The identity from the answers to `identityCalls`; asks a fork for its first own block. Nodes other than anvil do not
 * know the second call and are never forks. Unavailable when the node did not answer.
 */
export async function identityOf(
  rpc: EvmRpc,
  [first, metadata]: readonly [RpcOutcome | undefined, RpcOutcome | undefined],
): Promise<ChainIdentity> {
  const { hash } = read(blockSchema, first);
  const known = metadataSchema.safeParse(resultIn(metadata));
  const fork = known.data?.forkedNetwork;
  if (!known.data || !fork) return hash;
  const number = `0x${(fork.forkBlockNumber + 1).toString(16)}`;
  const block = await rpc.call('eth_getBlockByNumber', [number, false]);
  const own = read(blockSchema.nullable(), { result: block });
  return [hash, own?.hash ?? '', known.data.instanceId].join('/');
}

/** Reads the identity of a node's chain. Unavailable when the node cannot be reached. */
export async function readIdentity(rpc: EvmRpc): Promise<ChainIdentity> {
  const [first, metadata] = await rpc.batch(identityCalls);
  return identityOf(rpc, [first, metadata]);
}

/** Whether a node's chain is certainly the one that was stored: what was signed for it may be sent. */
export function isSameChain(stored: ChainIdentity | undefined, present: ChainIdentity): boolean {
  if (stored === present) return true;
  const process = stored?.split('/')[2];
  return process !== undefined && process === present.split('/')[2];
}

/**
 * Whether a node's chain may be the one that was stored: also a fork that a new process may have taken over with its
 * data. Not certain, because a fork's time starts with its source's block: the first blocks of two forks may be equal.
 */
export function mayBeSameChain(stored: ChainIdentity | undefined, present: ChainIdentity): boolean {
  if (isSameChain(stored, present)) return true;
  const [genesis, block, process] = stored?.split('/') ?? [];
  const [ownGenesis, ownBlock] = present.split('/');
  return process !== undefined && block !== '' && genesis === ownGenesis && block === ownBlock;
}
