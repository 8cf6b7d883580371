import type { Chain } from '../chain.ts';
import { reading, sender, type TransactionName, unknownHash } from '../scene.ts';

export type Call = readonly [method: string, ...params: unknown[]];

/** In a parameter's place: what the call before was answered with. */
export const previous = Symbol('the result of the call before');

/** The ways to name a block, right and wrong. */
export function blockNames(chain: Chain): unknown[] {
  const { numbers, safe, finalized } = chain;
  return [
    'latest',
    'earliest',
    'pending',
    safe,
    finalized,
    numbers.creation,
    numbers.storing,
    '0xffff',
    'nonsense',
    '3',
    3,
    { blockHash: hashOf(chain, 'storing') },
    { blockNumber: numbers.storing },
    { blockHash: unknownHash },
    { blockHash: hashOf(chain, 'storing'), requireCanonical: true },
  ];
}

/** The hash of the block of a transaction. */
export const hashOf = ({ blocks, numbers }: Chain, name: TransactionName): string =>
  blocks[Number(numbers[name])] ?? '';

/** A call that reads the contract. */
export const read = ({ contract }: Pick<Chain, 'contract'>) => ({
  from: sender,
  to: contract,
  data: reading,
});
