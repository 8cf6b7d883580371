import { inUnits, whole } from '../../amounts.ts';
import { useLiveChain } from '../../context.tsx';
import styles from '../../explorer.module.css';
import { ShortLink } from '../../parts/links.tsx';
import { Table } from '../../parts/Table.tsx';
import { texts } from '../../texts.ts';
import { type Balance, mostPositions, nftsOf, positionsOf, readBalances } from './balances.ts';
import { TokenId } from './TokenId.tsx';
import type { Subject, Transfer } from './transfers.ts';
import { useTokens } from './useTokens.ts';

interface BalancesProps {
  subject: Subject;
  transfers: readonly Transfer[];
}

/** The tokens of an account, or the holders of a token, of those that appear in the transfers. */
export function Balances({ subject, transfers }: BalancesProps) {
  const all = positionsOf(subject, transfers);
  const positions = all.slice(0, mostPositions);
  const { data: balances } = useLiveChain(
    ['balances', positions.map(({ token, account, tokenId }) => `${token}/${account}/${tokenId}`)],
    (reader) => readBalances(reader, positions),
  );
  const { decimalsOf, nameOf } = useTokens(transfers);
  const nfts = nftsOf(transfers);
  if (!balances) return null;
  const isOfToken = 'token' in subject;
  const rows = balances.map((balance) => {
    const { token, account, tokenId } = balance;
    return {
      key: `${token}/${account}/${tokenId}`,
      cells: [
        isOfToken ? (
          <ShortLink key="account" kind="address" value={account} />
        ) : (
          <ShortLink key="token" kind="address" value={token} name={nameOf(token)} />
        ),
        <Held
          key="held"
          balance={balance}
          decimals={decimalsOf(token)}
          ids={nfts.get(`${token}/${account.toLowerCase()}`) ?? []}
        />,
      ],
    };
  });
  // Most accounts have no token, which their transfers say.
  if (!isOfToken && rows.length === 0) return null;
  const [label, head] = isOfToken ? [texts.holders, texts.holder] : [texts.tokenBalances, texts.token];
  return (
    <>
      <Table label={label} columns={[head, texts.balance]} rows={rows} empty={texts.noHolders} />
      {all.length > positions.length && (
        <p className={styles.note}>
          {isOfToken
            ? texts.mostHolders(positions.length, all.length)
            : texts.moreBalances(positions.length, all.length)}
        </p>
      )}
    </>
  );
}

const mostIds = 5;

interface HeldProps {
  balance: Balance;
  decimals: number;
  /** Of the NFTs that the account got last. */
  ids: readonly bigint[];
}

function Held({ balance: { standard, amount, tokenId }, decimals, ids }: HeldProps) {
  if (tokenId !== undefined) return <TokenId id={tokenId} amount={amount} />;
  if (standard === 'ERC-20') return inUnits(amount, decimals);
  const shown = ids.slice(0, mostIds);
  return (
    <>
      {whole(amount)}
      {shown.map((id) => (
        <span key={id}>
          {' '}
          <TokenId id={id} />
        </span>
      ))}
      {ids.length > shown.length && ' …'}
    </>
  );
}
