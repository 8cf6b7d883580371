import { Card } from '../../../../console/src/ui/Card.tsx';
import { whole } from '../amounts.ts';
import { useLiveChain } from '../context.tsx';
import styles from '../explorer.module.css';
import { listAt } from '../fields.ts';
import { Age } from '../parts/Age.tsx';
import { Loaded } from '../parts/Loaded.tsx';
import { Full, TargetLink } from '../parts/links.tsx';
import { Missing } from '../parts/Missing.tsx';
import { Rows } from '../parts/Rows.tsx';
import { Table } from '../parts/Table.tsx';
import type { Reader } from '../reader.ts';
import { texts } from '../texts.ts';
import { type Header, hashOf, headerOf } from './model.ts';

interface Found {
  header: Header;
  hashes: string[];
}

async function readBlock(reader: Reader, height: string): Promise<Found | null> {
  const [answer] = await reader.ask([['block', height]]);
  const header = headerOf(answer?.result);
  const transactions = listAt(answer, 'result', 'block', 'data', 'txs').map(String);
  return header ? { header, hashes: await Promise.all(transactions.map(hashOf)) } : null;
}

const isThere = (found: Found | null): boolean => found !== null;

export function HeightPage({ height }: { height: string }) {
  const result = useLiveChain(['height', height], (reader) => readBlock(reader, height), isThere);
  return (
    <Loaded of={result}>{(found) => (found ? <HeightView {...found} /> : <Missing what="block" />)}</Loaded>
  );
}

function HeightView({ header: { height, hash, at, proposer }, hashes }: Found) {
  return (
    <div className={styles.stack}>
      <Card title={texts.blockOf(whole(height))}>
        <Rows
          rows={[
            [texts.time, <Age key="time" seconds={at} isFull />],
            [texts.hash, <Full key="hash" value={hash} label={texts.hash} />],
            [texts.proposer, <code key="proposer">{proposer}</code>],
          ]}
        />
      </Card>
      <Card title={`${texts.columns.transactions} (${whole(hashes.length)})`}>
        <Table
          label={texts.columns.transactions}
          columns={[texts.columns.hash]}
          rows={hashes.map((one) => ({ key: one, cells: [<TargetLink key="tx" kind="tx" value={one} />] }))}
          empty={texts.noTransactionsInBlock}
        />
      </Card>
    </div>
  );
}
