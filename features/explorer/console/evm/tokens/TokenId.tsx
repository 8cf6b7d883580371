import { short, whole } from '../../amounts.ts';
import { texts } from '../../texts.ts';

/** An NFT, or so many of one kind of ERC-1155 tokens. Ids may have 78 digits. */
export function TokenId({ id, amount = 1n }: { id: bigint; amount?: bigint }) {
  const digits = String(id);
  return <span title={`#${digits}`}>{texts.nft(whole(amount), short(digits))}</span>;
}
