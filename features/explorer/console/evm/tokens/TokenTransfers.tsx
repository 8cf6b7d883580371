import { Card } from '../../../../../console/src/ui/Card.tsx';
import { inUnits } from '../../amounts.ts';
import { BlockLink, ShortLink } from '../../parts/links.tsx';
import { Table } from '../../parts/Table.tsx';
import { texts } from '../../texts.ts';
import { Indexed } from '../history/Indexed.tsx';
import { Balances } from './Balances.tsx';
import { TokenId } from './TokenId.tsx';
import type { Subject, Transfer } from './transfers.ts';
import { useTokens } from './useTokens.ts';
import { useTransfers } from './useTransfers.ts';

interface TokenTransfersProps {
  subject: Subject;
  title: string;
  /** Whether nothing is shown where there are none. */
  isHiddenIfEmpty?: boolean;
}

/** The transfers of a token, or those of an account with what it has. */
export function TokenTransfers({ subject, title, isHiddenIfEmpty = false }: TokenTransfersProps) {
  const history = useTransfers(subject, { limit: 50, pages: 1 });
  if (isHiddenIfEmpty && !history.items?.length) return null;
  return (
    <Card title={title}>
      <Indexed history={history} scope={texts.transfersIn}>
        {(transfers) => (
          <>
            {'account' in subject && <Balances subject={subject} transfers={transfers} />}
            <Transfers title={title} transfers={transfers} />
          </>
        )}
      </Indexed>
    </Card>
  );
}

interface TransfersProps {
  title: string;
  transfers: readonly Transfer[];
}

/** Transfers with what the tokens are called. */
export function Transfers({ title, transfers }: TransfersProps) {
  const { decimalsOf, nameOf } = useTokens(transfers);
  const rows = transfers.map(({ key, hash, block, token, from, to, amount, tokenId }) => ({
    key,
    cells: [
      <ShortLink key="hash" kind="tx" value={hash} />,
      <BlockLink key="block" number={block} />,
      <ShortLink key="from" kind="address" value={from} />,
      <ShortLink key="to" kind="address" value={to} />,
      tokenId === undefined ? (
        inUnits(amount, decimalsOf(token))
      ) : (
        <TokenId key="id" id={tokenId} amount={amount} />
      ),
      <ShortLink key="token" kind="address" value={token} name={nameOf(token)} />,
    ],
  }));
  const { columns } = texts;
  const heads = [columns.hash, columns.block, columns.from, columns.to, texts.amount, texts.token];
  return <Table label={title} columns={heads} rows={rows} empty={texts.noTransfers} />;
}
