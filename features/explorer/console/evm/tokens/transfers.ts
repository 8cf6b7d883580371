import { transfersIn } from '../../../../../core/abi/tokenTransfers.ts';
import type { TokenTransfer } from '../../../../../sdk/src/generated/types.ts';
import type { Log } from '../model.ts';

export type TokenStandard = 'ERC-20' | 'ERC-721' | 'ERC-1155';

export interface Transfer {
  /** Different for each. */
  key: string;
  hash: string;
  block: bigint;
  /** The contract. */
  token: string;
  /** The standard that defines the event. */
  standard: string;
  from: string;
  to: string;
  /** In the smallest unit; 1 for an NFT. */
  amount: bigint;
  /** Of an NFT, or of a kind of ERC-1155 tokens. */
  tokenId?: bigint;
}

/** Whose transfers: those from or to an account, or those of a token. */
export type Subject = { account: string } | { token: string };

/** The transfers that a log is about; none for what is not a transfer. */
export function transfersOf({ hash, block, index, address, topics, data }: Log): Transfer[] {
  if (hash === undefined || block === undefined) return [];
  const transfers = transfersIn({ address, topics, data, logIndex: Number(index) });
  return transfers.map((one, place) => transferOf({ ...one, hash, block }, place));
}

/** Transfers as the index has them. Those of one log follow each other. */
export function transfersOfIndex(items: readonly TokenTransfer[]): Transfer[] {
  let [log, place] = ['', 0];
  return items.map((one) => {
    const own = `${one.block}/${one.logIndex}`;
    place = own === log ? place + 1 : 0;
    log = own;
    return transferOf({ ...one, block: BigInt(one.block) }, place);
  });
}

function transferOf(
  { logIndex, amount, tokenId, ...rest }: Omit<TokenTransfer, 'block' | 'time'> & { block: bigint },
  place: number,
): Transfer {
  const transfer = { ...rest, key: `${rest.block}/${logIndex}/${place}`, amount: BigInt(amount) };
  return tokenId === undefined ? transfer : { ...transfer, tokenId: BigInt(tokenId) };
}
