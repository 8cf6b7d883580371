import { Failure } from '../../../../console/src/ui/Banner.tsx';
import { Card } from '../../../../console/src/ui/Card.tsx';
import surface from '../../../../console/src/ui/surface.module.css';
import { whole } from '../amounts.ts';
import { useExplored } from '../context.tsx';
import styles from '../explorer.module.css';
import { Age } from '../parts/Age.tsx';
import { BlockLink } from '../parts/links.tsx';
import { Table } from '../parts/Table.tsx';
import { texts } from '../texts.ts';
import { BlockCharts } from './charts/BlockCharts.tsx';
import type { Block } from './model.ts';
import { recentCount } from './recent.ts';
import { TransactionTable } from './TransactionTable.tsx';
import { useRecent } from './useRecent.ts';

const { columns } = texts;

/** What happens on the chain now. */
export function Home() {
  const { head } = useExplored();
  const { recent, error } = useRecent();
  if (error !== undefined && !recent) return <Failure error={error} title={texts.failed} />;
  if (!recent) {
    return (
      <div className={styles.loading} role="status" aria-label={head ? texts.loading : texts.waiting}>
        <div className={surface.skeleton} />
        <div className={surface.skeleton} />
      </div>
    );
  }
  return (
    <div className={styles.stack}>
      <BlockCharts blocks={recent.blocks} />
      <div className={styles.columns}>
        <Card title={texts.blocks}>
          <Table
            label={texts.blocks}
            columns={[columns.block, columns.age, columns.transactions]}
            rows={recent.blocks
              .slice(0, recentCount)
              .map((block) => ({ key: block.hash, cells: cellsOf(block) }))}
            empty={texts.noBlocks}
          />
        </Card>
        <Card title={texts.transactions}>
          <TransactionTable
            label={texts.transactions}
            transactions={recent.transactions}
            empty={texts.noTransactions}
          />
        </Card>
      </div>
    </div>
  );
}

function cellsOf({ number, at, transactions }: Block) {
  return [
    <BlockLink key="number" number={number} />,
    <Age key="age" seconds={at} />,
    whole(transactions.length),
  ];
}
