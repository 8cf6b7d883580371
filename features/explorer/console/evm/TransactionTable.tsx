import type { ReactNode } from 'react';
import { inFewEther } from '../amounts.ts';
import styles from '../explorer.module.css';
import { Age } from '../parts/Age.tsx';
import { BlockLink, ShortLink } from '../parts/links.tsx';
import { Outcome } from '../parts/Outcome.tsx';
import { Table } from '../parts/Table.tsx';
import { texts } from '../texts.ts';
import { functionName } from './abi.ts';
import type { Transaction } from './model.ts';
import { useCoins } from './useCoins.ts';
import { useNames } from './useNames.ts';

interface Row {
  transaction: Pick<Transaction, 'hash' | 'from' | 'to' | 'value' | 'input' | 'blockNumber'>;
  at: number;
  isSuccess?: boolean | undefined;
  /** What else is said beside its value. */
  more?: ReactNode;
}

interface TransactionTableProps {
  label: string;
  transactions: readonly Row[];
  empty: string;
  /** Whether their blocks are shown, where they differ. */
  hasBlocks?: boolean;
}

const { columns } = texts;

export function TransactionTable({ label, transactions, empty, hasBlocks = false }: TransactionTableProps) {
  const names = useNames(transactions.flatMap(({ transaction: { to } }) => to ?? []));
  const [inCoins, inAll] = [useCoins(inFewEther), useCoins()];
  const rows = transactions.map((row) => {
    const { hash, from, to, value } = row.transaction;
    const contract = to === undefined ? undefined : names.get(to.toLowerCase());
    const cells = [
      <ShortLink key="hash" kind="tx" value={hash} />,
      <Outcome key="outcome" isSuccess={row.isSuccess} />,
      ...(hasBlocks ? [<BlockOf key="block" row={row} />] : []),
      <Method key="method" transaction={row.transaction} abi={contract?.abi} />,
      <Age key="age" seconds={row.at} />,
      <ShortLink key="from" kind="address" value={from} />,
      <To key="to" to={to} name={contract?.name} />,
      <div key="value">
        <span title={inAll(value)}>{inCoins(value)}</span>
        {row.more}
      </div>,
    ];
    return { key: hash, cells };
  });
  const blocks = hasBlocks ? [columns.block] : [];
  const heads = [
    columns.hash,
    columns.result,
    ...blocks,
    columns.method,
    columns.age,
    columns.from,
    columns.to,
    columns.value,
  ];
  return <Table label={label} columns={heads} rows={rows} empty={empty} />;
}

function To({ to, name }: { to: string | undefined; name: string | undefined }) {
  return to === undefined ? texts.creation : <ShortLink kind="address" value={to} name={name} />;
}

function BlockOf({ row }: { row: Row }) {
  const { blockNumber } = row.transaction;
  return blockNumber === undefined ? null : <BlockLink number={blockNumber} />;
}

interface MethodProps {
  transaction: Row['transaction'];
  abi: Record<string, unknown>[] | undefined;
}

function Method({ transaction, abi }: MethodProps) {
  const method = methodOf(transaction, abi);
  return (
    <span className={styles.name} title={method}>
      {method}
    </span>
  );
}

/** The function that a transaction calls, or its selector. */
function methodOf({ input, to }: Row['transaction'], abi: MethodProps['abi']): string {
  if (to === undefined) return '';
  if (input.length < 10) return texts.transfer;
  const selector = input.slice(0, 10);
  return functionName(selector, abi) ?? selector;
}
