import { Card } from '../../../../console/src/ui/Card.tsx';
import { Code } from '../../../../console/src/ui/code/Code.tsx';
import surface from '../../../../console/src/ui/surface.module.css';
import { percentOf, whole } from '../amounts.ts';
import { useLiveChain } from '../context.tsx';
import styles from '../explorer.module.css';
import { Age } from '../parts/Age.tsx';
import { Loaded } from '../parts/Loaded.tsx';
import { BlockLink, Full } from '../parts/links.tsx';
import { Missing } from '../parts/Missing.tsx';
import { Outcome } from '../parts/Outcome.tsx';
import { Rows } from '../parts/Rows.tsx';
import type { Reader } from '../reader.ts';
import { texts } from '../texts.ts';
import { type CosmosTransaction, cosmosTransactionOf } from './model.ts';

/** The RPC takes hashes in base64. */
function toBase64(hash: string): string {
  return btoa(
    (hash.match(/../g) ?? []).map((pair) => String.fromCharCode(Number.parseInt(pair, 16))).join(''),
  );
}

async function readTransaction(reader: Reader, hash: string): Promise<CosmosTransaction | null> {
  const [told, decoded] = await reader.ask([
    ['tx', toBase64(hash), false],
    [`GET /cosmos/tx/v1beta1/txs/${hash}`],
  ]);
  return cosmosTransactionOf(told?.result, decoded?.result) ?? null;
}

export function CosmosTransactionPage({ hash }: { hash: string }) {
  const result = useLiveChain(
    ['cosmos', hash],
    (reader) => readTransaction(reader, hash),
    (value) => value !== null,
  );
  return (
    <Loaded of={result}>{(found) => (found ? <TransactionView {...found} /> : <Missing what="tx" />)}</Loaded>
  );
}

function TransactionView(transaction: CosmosTransaction) {
  const { hash, height, isSuccess, error, at, gasUsed, gasWanted, memo, messages } = transaction;
  return (
    <div className={styles.stack}>
      <Card title={texts.transaction} action={<Outcome isSuccess={isSuccess} />}>
        <Rows
          rows={[
            [texts.hash, <Full key="hash" value={hash} label={texts.hash} />],
            [texts.reason, error],
            [texts.height, <BlockLink key="height" number={height} />],
            [texts.time, at > 0 ? <Age key="time" seconds={at} isFull /> : undefined],
            [texts.gasUsed, texts.gasOf(whole(gasUsed), whole(gasWanted), percentOf(gasUsed, gasWanted))],
            [texts.memo, memo || undefined],
          ]}
        />
      </Card>
      {messages && (
        <Card title={texts.messages}>
          <div className={surface.cardBody}>
            {messages.map(({ type, body }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: messages have their places.
              <div key={index} className={styles.decoded}>
                <h3>{type}</h3>
                <Code label={type} text={JSON.stringify(body, undefined, 2)} />
              </div>
            ))}
          </div>
        </Card>
      )}
      <Events {...transaction} />
    </div>
  );
}

function Events({ events }: CosmosTransaction) {
  return (
    <Card title={texts.events}>
      <dl className={styles.rows}>
        {events.map(({ type, attributes }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: events have their places.
          <div key={index}>
            <dt>{type}</dt>
            <dd className={styles.lines}>{attributes}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
