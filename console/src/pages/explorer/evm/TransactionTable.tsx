import { inEther } from '../amounts.ts';
import { Age } from '../parts/Age.tsx';
import { BlockLink, ShortLink } from '../parts/links.tsx';
import { Outcome } from '../parts/Outcome.tsx';
import { Table } from '../parts/Table.tsx';
import { texts } from '../texts.ts';
import { decodeInput } from './abi.ts';
import type { Transaction } from './model.ts';
import { useNames } from './useNames.ts';

interface Row {
  transaction: Transaction;
  at: number;
  isSuccess?: boolean | undefined;
}

interface TransactionTableProps {
  label: string;
  transactions: readonly Row[];
  empty: string;
  /** Whether outcomes are known. */
  hasOutcome?: boolean;
}

const { columns } = texts;

export function TransactionTable({ label, transactions, empty, hasOutcome = true }: TransactionTableProps) {
  const names = useNames(transactions.flatMap(({ transaction: { to } }) => to ?? []));
  const rows = transactions.map(({ transaction, at, isSuccess }) => {
    const { hash, from, to, value, blockNumber } = transaction;
    const contract = to === undefined ? undefined : names.get(to.toLowerCase());
    const cells = [
      <ShortLink key="hash" kind="tx" value={hash} />,
      methodOf(transaction, contract?.abi),
      blockNumber !== undefined && <BlockLink key="block" number={blockNumber} />,
      <Age key="age" seconds={at} />,
      <ShortLink key="from" kind="address" value={from} />,
      to === undefined ? (
        texts.creation
      ) : (
        <ShortLink key="to" kind="address" value={to} name={contract?.name} />
      ),
      `${inEther(value)} ${texts.ether}`,
    ];
    return {
      key: hash,
      cells: hasOutcome ? [...cells, <Outcome key="outcome" isSuccess={isSuccess} />] : cells,
    };
  });
  const heads = [
    columns.hash,
    columns.method,
    columns.block,
    columns.age,
    columns.from,
    columns.to,
    columns.value,
  ];
  return (
    <Table
      label={label}
      columns={hasOutcome ? [...heads, columns.result] : heads}
      rows={rows}
      empty={empty}
    />
  );
}

/** The function that a transaction calls, or its selector. */
function methodOf({ input, to }: Transaction, abi: Record<string, unknown>[] | undefined): string {
  if (to === undefined) return '';
  if (input.length < 10) return texts.transfer;
  return decodeInput(input, abi)?.name ?? input.slice(0, 10);
}
