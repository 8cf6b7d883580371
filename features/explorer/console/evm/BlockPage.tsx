import { Card } from '../../../../console/src/ui/Card.tsx';
import { Code } from '../../../../console/src/ui/code/Code.tsx';
import { inGwei, percentOf, whole } from '../amounts.ts';
import { useLiveChain } from '../context.tsx';
import styles from '../explorer.module.css';
import { Age } from '../parts/Age.tsx';
import { Loaded } from '../parts/Loaded.tsx';
import { Full, TargetLink } from '../parts/links.tsx';
import { Missing } from '../parts/Missing.tsx';
import { Rows } from '../parts/Rows.tsx';
import type { Reader } from '../reader.ts';
import { texts } from '../texts.ts';
import { type Block, blockOf } from './model.ts';
import { readResults } from './readTransaction.ts';
import type { RecentTransaction } from './recent.ts';
import { TransactionTable } from './TransactionTable.tsx';

interface Shown {
  block: Block | undefined;
  transactions: RecentTransaction[];
}

/** A block may have more transactions than are useful at once. */
const shownTransactions = 25;

async function readBlock(reader: Reader, value: string): Promise<Shown> {
  const block = blockOf(
    value.startsWith('0x')
      ? await reader.one('eth_getBlockByHash', value, false)
      : await reader.one('eth_getBlockByNumber', `0x${BigInt(value).toString(16)}`, false),
  );
  const hashes = block?.transactions.slice(0, shownTransactions) ?? [];
  const at = block?.at ?? 0;
  return {
    block,
    transactions: await readResults(
      reader,
      hashes.map((hash) => ({ hash, at })),
    ),
  };
}

export function BlockPage({ value }: { value: string }) {
  const result = useLiveChain(
    ['block', value],
    (reader) => readBlock(reader, value),
    ({ block }) => block !== undefined,
  );
  return (
    <Loaded of={result}>
      {({ block, transactions }) =>
        block ? <BlockView block={block} transactions={transactions} /> : <Missing what="block" />
      }
    </Loaded>
  );
}

function BlockView({ block, transactions }: { block: Block; transactions: RecentTransaction[] }) {
  const { number, hash, parentHash, at, gasUsed, gasLimit, baseFee, miner, raw } = block;
  const all = block.transactions.length;
  const gas = texts.gasOf(whole(gasUsed), whole(gasLimit), percentOf(gasUsed, gasLimit));
  return (
    <div className={styles.stack}>
      <Card
        title={texts.blockOf(whole(number))}
        action={
          <span className={styles.tools}>
            {number > 0n && <TargetLink kind="block" value={String(number - 1n)} text={texts.previous} />}
            <TargetLink kind="block" value={String(number + 1n)} text={texts.next} />
          </span>
        }
      >
        <Rows
          rows={[
            [texts.time, <Age key="time" seconds={at} isFull />],
            [texts.hash, <Full key="hash" value={hash} label={texts.hash} />],
            [texts.parent, <Full key="parent" kind="block" value={parentHash} label={texts.parent} />],
            [texts.gasUsed, gas],
            [texts.baseFee, baseFee === undefined ? undefined : `${inGwei(baseFee)} ${texts.gwei}`],
            [texts.miner, <Full key="miner" kind="address" value={miner} label={texts.miner} />],
          ]}
        />
      </Card>
      <Card title={`${texts.columns.transactions} (${whole(all)})`}>
        <TransactionTable
          label={texts.columns.transactions}
          transactions={transactions}
          empty={texts.noTransactionsInBlock}
        />
        {all > transactions.length && (
          <p className={styles.note}>{texts.moreTransactions(transactions.length, all)}</p>
        )}
      </Card>
      <details className={styles.details}>
        <summary>{texts.raw}</summary>
        <Code label={texts.raw} text={JSON.stringify({ ...raw, transactions: undefined }, undefined, 2)} />
      </details>
    </div>
  );
}
