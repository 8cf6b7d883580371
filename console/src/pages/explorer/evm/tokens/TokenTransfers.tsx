import { inUnits, whole } from '../../amounts.ts';
import { useExplored, useFirstBlock, useLiveChain } from '../../context.tsx';
import { BlockLink, ShortLink } from '../../parts/links.tsx';
import { Card } from '../../parts/Rows.tsx';
import { Table } from '../../parts/Table.tsx';
import { texts } from '../../texts.ts';
import { SearchedBlocks } from '../search/SearchedBlocks.tsx';
import { useSearchBack } from '../search/useSearchBack.ts';
import { useNames } from '../useNames.ts';
import {
  type Balance,
  fungibleOf,
  mostHolders,
  readBalances,
  readTokens,
  type TokenFacts,
} from './balances.ts';
import { type Subject, searchTransfers, type Transfer } from './transfers.ts';

const noFacts: ReadonlyMap<string, TokenFacts> = new Map();

/** Token transfers of an account with its balances, or of a token with its holders, in the blocks that were searched so far. */
export function TokenTransfers({ subject }: { subject: Subject }) {
  const { reader } = useExplored();
  const first = useFirstBlock();
  const search = useSearchBack(first, (range) => searchTransfers(reader, subject, range));
  return (
    <Card title={texts.tokenTransfers}>
      <SearchedBlocks search={search} scope={texts.transfersIn} more={texts.searchEarlier} first={first}>
        {({ found }) => <Transfers subject={subject} transfers={found} />}
      </SearchedBlocks>
    </Card>
  );
}

function Transfers({ subject, transfers }: { subject: Subject; transfers: readonly Transfer[] }) {
  const tokens = fungibleOf(transfers);
  const { data: facts = noFacts } = useLiveChain(['tokens', tokens], (reader) => readTokens(reader, tokens));
  const names = useNames(transfers.map(({ token }) => token).slice(0, 50));
  const nameOf = (token: string) => facts.get(token)?.symbol ?? names.get(token.toLowerCase())?.name;
  const rows = transfers.map(({ key, hash, block, token, from, to, amount, tokenId }) => ({
    key,
    cells: [
      <ShortLink key="hash" kind="tx" value={hash} />,
      <BlockLink key="block" number={block} />,
      <ShortLink key="from" kind="address" value={from} />,
      <ShortLink key="to" kind="address" value={to} />,
      tokenId === undefined
        ? amountText(amount, facts.get(token))
        : texts.nft(whole(amount), String(tokenId)),
      <ShortLink key="token" kind="address" value={token} name={nameOf(token)} />,
    ],
  }));
  const { columns } = texts;
  const heads = [columns.hash, columns.block, columns.from, columns.to, texts.amount, texts.token];
  return (
    <>
      <Balances subject={subject} transfers={transfers} facts={facts} nameOf={nameOf} />
      <Table label={texts.tokenTransfers} columns={heads} rows={rows} empty={texts.noTransfers} />
    </>
  );
}

function amountText(amount: bigint, facts: TokenFacts | undefined): string {
  return facts ? inUnits(amount, facts.decimals) : whole(amount);
}

interface BalancesProps {
  subject: Subject;
  transfers: readonly Transfer[];
  facts: ReadonlyMap<string, TokenFacts>;
  nameOf: (token: string) => string | undefined;
}

/** The tokens of an account, or the holders of a token, of those that appear in the transfers. */
function Balances({ subject, transfers, facts, nameOf }: BalancesProps) {
  const pairs = pairsOf(subject, transfers);
  const { data: balances = [] } = useLiveChain(
    ['balances', pairs.map(({ token, account }) => token + account)],
    (reader) => readBalances(reader, pairs),
  );
  if (balances.length === 0) return null;
  const isOfToken = 'token' in subject;
  const [title, head] = isOfToken ? [texts.holders, texts.holder] : [texts.tokenBalances, texts.token];
  const rows = balances.map(({ token, account, amount }) => ({
    key: token + account,
    cells: [
      isOfToken ? (
        <ShortLink key="account" kind="address" value={account} />
      ) : (
        <ShortLink key="token" kind="address" value={token} name={nameOf(token)} />
      ),
      amountText(amount, facts.get(token)),
    ],
  }));
  return <Table label={title} columns={[head, texts.balance]} rows={rows} empty={texts.noTransfers} />;
}

function pairsOf(subject: Subject, transfers: readonly Transfer[]): Pick<Balance, 'token' | 'account'>[] {
  if ('account' in subject)
    return fungibleOf(transfers).map((token) => ({ token, account: subject.account }));
  const amounts = transfers.filter(({ tokenId }) => tokenId === undefined);
  const accounts = new Set(amounts.flatMap(({ from, to }) => [from, to]));
  accounts.delete(`0x${'0'.repeat(40)}`);
  return [...accounts].slice(0, mostHolders).map((account) => ({ token: subject.token, account }));
}
