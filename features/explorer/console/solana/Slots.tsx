import { Card } from '../../../../console/src/ui/Card.tsx';
import { whole } from '../amounts.ts';
import { useLiveChain } from '../context.tsx';
import { listAt } from '../fields.ts';
import { Age } from '../parts/Age.tsx';
import { Loaded } from '../parts/Loaded.tsx';
import { BlockLink, ShortLink } from '../parts/links.tsx';
import { Table } from '../parts/Table.tsx';
import type { Reader } from '../reader.ts';
import { texts } from '../texts.ts';
import { type Slot, slotOf } from './model.ts';

const { columns } = texts;
const shownSlots = 15;
/** Not every slot has a block. */
const lookBack = 60n;
const options = {
  transactionDetails: 'signatures',
  rewards: false,
  maxSupportedTransactionVersion: 0,
  commitment: 'confirmed',
};

export const blockCall = (slot: bigint) => ['getBlock', Number(slot), options] as const;

async function readSlots(reader: Reader): Promise<Slot[]> {
  const head = BigInt(String((await reader.one('getSlot', { commitment: 'confirmed' })) ?? 0));
  const first = head > lookBack ? head - lookBack : 0n;
  const found = {
    result: await reader.one('getBlocks', Number(first), Number(head), { commitment: 'confirmed' }),
  };
  const slots = listAt(found, 'result')
    .map((slot) => BigInt(String(slot)))
    .slice(-shownSlots)
    .reverse();
  const answers = await reader.ask(slots.map(blockCall));
  return slots.flatMap((slot, index) => slotOf(slot, answers[index]?.result) ?? []);
}

/** What happens on the chain now. */
export function Slots() {
  const slots = useLiveChain(['slots'], readSlots);
  return (
    <Loaded of={slots}>
      {(shown) => (
        <Card title={texts.blocks}>
          <Table
            label={texts.blocks}
            columns={[columns.slot, columns.age, columns.transactions, columns.hash]}
            rows={shown.map(({ slot, at, signatures, hash }) => ({
              key: String(slot),
              cells: [
                <BlockLink key="slot" number={slot} />,
                <Age key="age" seconds={at} />,
                <Signatures key="signatures" signatures={signatures} />,
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

/** How many transactions a block has, and the first of them. */
function Signatures({ signatures }: { signatures: readonly string[] }) {
  const [first] = signatures;
  return (
    <>
      {whole(signatures.length)} {first && <ShortLink kind="tx" value={first} />}
    </>
  );
}
