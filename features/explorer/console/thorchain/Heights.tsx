import { Card } from '../../../../console/src/ui/Card.tsx';
import { whole } from '../amounts.ts';
import { useLiveChain } from '../context.tsx';
import { listAt, quantityAt } from '../fields.ts';
import { Age } from '../parts/Age.tsx';
import { Loaded } from '../parts/Loaded.tsx';
import { BlockLink } from '../parts/links.tsx';
import { Table } from '../parts/Table.tsx';
import type { Reader } from '../reader.ts';
import { texts } from '../texts.ts';
import { type Header, headerOf } from './model.ts';

const { columns } = texts;
const shownBlocks = 15n;

async function readHeaders(reader: Reader): Promise<Header[]> {
  const head = quantityAt(await reader.one('status'), 'sync_info', 'latest_block_height') ?? 1n;
  const first = head > shownBlocks ? head - shownBlocks + 1n : 1n;
  const found = await reader.one('blockchain', String(first), String(head));
  return listAt(found, 'block_metas').flatMap((one) => headerOf(one) ?? []);
}

/** What happens on the chain now. */
export function Heights() {
  const headers = useLiveChain(['headers'], readHeaders);
  return (
    <Loaded of={headers}>
      {(shown) => (
        <Card title={texts.blocks}>
          <Table
            label={texts.blocks}
            columns={[columns.height, columns.age, columns.transactions, columns.hash]}
            rows={shown.map(({ height, at, transactions = 0, hash }) => ({
              key: hash,
              cells: [
                <BlockLink key="height" number={height} />,
                <Age key="age" seconds={at} />,
                whole(transactions),
                <code key="hash">{hash}</code>,
              ],
            }))}
            empty={texts.noBlocks}
          />
        </Card>
      )}
    </Loaded>
  );
}
