import { Card } from '../../../../console/src/ui/Card.tsx';
import { whole } from '../amounts.ts';
import { useLiveChain } from '../context.tsx';
import styles from '../explorer.module.css';
import { Age } from '../parts/Age.tsx';
import { Loaded } from '../parts/Loaded.tsx';
import { BlockLink, Full, TargetLink } from '../parts/links.tsx';
import { Missing } from '../parts/Missing.tsx';
import { Rows } from '../parts/Rows.tsx';
import { Table } from '../parts/Table.tsx';
import type { Reader } from '../reader.ts';
import { texts } from '../texts.ts';
import { type Slot, slotOf } from './model.ts';
import { blockCall } from './Slots.tsx';

const shownTransactions = 100;

async function readSlot(reader: Reader, slot: bigint): Promise<Slot | null> {
  const [answer] = await reader.ask([blockCall(slot)]);
  return slotOf(slot, answer?.result) ?? null;
}

const isThere = (slot: Slot | null): boolean => slot !== null;

export function SlotPage({ slot }: { slot: bigint }) {
  const result = useLiveChain(['slot', String(slot)], (reader) => readSlot(reader, slot), isThere);
  return (
    <Loaded of={result}>{(found) => (found ? <SlotView {...found} /> : <Missing what="block" />)}</Loaded>
  );
}

function SlotView({ slot, hash, parent, at, height, signatures }: Slot) {
  const shown = signatures.slice(0, shownTransactions);
  return (
    <div className={styles.stack}>
      <Card title={texts.slotOf(whole(slot))}>
        <Rows
          rows={[
            [texts.time, at > 0 ? <Age key="time" seconds={at} isFull /> : undefined],
            [texts.hash, <Full key="hash" value={hash} label={texts.hash} />],
            [texts.parent, <BlockLink key="parent" number={parent} />],
            [texts.height, height === undefined ? undefined : whole(height)],
          ]}
        />
      </Card>
      <Card title={`${texts.columns.transactions} (${whole(signatures.length)})`}>
        <Table
          label={texts.columns.transactions}
          columns={[texts.columns.signature]}
          rows={shown.map((one) => ({ key: one, cells: [<TargetLink key="tx" kind="tx" value={one} />] }))}
          empty={texts.noTransactionsInBlock}
        />
        {signatures.length > shown.length && (
          <p className={styles.note}>{texts.moreTransactions(shown.length, signatures.length)}</p>
        )}
      </Card>
    </div>
  );
}
