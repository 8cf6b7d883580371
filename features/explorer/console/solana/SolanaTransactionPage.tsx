import { Card } from '../../../../console/src/ui/Card.tsx';
import { Code } from '../../../../console/src/ui/code/Code.tsx';
import surface from '../../../../console/src/ui/surface.module.css';
import { inUnits } from '../amounts.ts';
import { useLiveChain } from '../context.tsx';
import styles from '../explorer.module.css';
import { Age } from '../parts/Age.tsx';
import { Loaded } from '../parts/Loaded.tsx';
import { BlockLink, Full, TargetLink } from '../parts/links.tsx';
import { Missing } from '../parts/Missing.tsx';
import { Outcome } from '../parts/Outcome.tsx';
import { Rows } from '../parts/Rows.tsx';
import { Table } from '../parts/Table.tsx';
import { texts } from '../texts.ts';
import { type SolanaTransaction, solanaTransactionOf } from './model.ts';

const options = { encoding: 'jsonParsed', maxSupportedTransactionVersion: 0, commitment: 'confirmed' };
export const inSol = (lamports: bigint): string => `${inUnits(lamports, 9)} ${texts.sol}`;

export function SolanaTransactionPage({ signature }: { signature: string }) {
  const result = useLiveChain(
    ['signature', signature],
    async (reader) => solanaTransactionOf(await reader.one('getTransaction', signature, options)) ?? null,
    (value) => value !== null,
  );
  return (
    <Loaded of={result}>{(found) => (found ? <TransactionView {...found} /> : <Missing what="tx" />)}</Loaded>
  );
}

function TransactionView(transaction: SolanaTransaction) {
  const { signature, slot, at, isSuccess, error, fee, signer, instructions, logs } = transaction;
  return (
    <div className={styles.stack}>
      <Card title={texts.transaction} action={<Outcome isSuccess={isSuccess} />}>
        <Rows
          rows={[
            [texts.signature, <Full key="signature" value={signature} label={texts.signature} />],
            [texts.reason, error],
            [texts.slot, <BlockLink key="slot" number={slot} />],
            [texts.time, at > 0 ? <Age key="time" seconds={at} isFull /> : undefined],
            [texts.from, <Full key="from" kind="address" value={signer} label={texts.from} />],
            [texts.fee, inSol(fee)],
          ]}
        />
      </Card>
      <Card title={texts.instructions}>
        <div className={surface.cardBody}>
          {instructions.map(({ program, type, info }, index) => {
            const title = [program, type].filter(Boolean).join(': ');
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: instructions have their places.
              <div key={index} className={styles.decoded}>
                <h3>{title}</h3>
                <Code label={title} text={JSON.stringify(info, undefined, 2)} />
              </div>
            );
          })}
        </div>
      </Card>
      <Changes {...transaction} />
      <Card title={texts.programLogs}>
        <div className={surface.cardBody}>
          <Code label={texts.programLogs} text={logs.join('\n')} />
        </div>
      </Card>
    </div>
  );
}

function Changes({ changes }: SolanaTransaction) {
  return (
    <Card title={texts.accounts}>
      <Table
        label={texts.accounts}
        columns={[texts.address, texts.balance, texts.balanceChange]}
        rows={changes.map(({ account, before, after }) => ({
          key: account,
          cells: [
            <TargetLink key="account" kind="address" value={account} />,
            inSol(after),
            after === before ? '' : inSol(after - before),
          ],
        }))}
        empty={texts.noBalances}
      />
    </Card>
  );
}
