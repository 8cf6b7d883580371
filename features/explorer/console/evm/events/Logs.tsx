import { type ReactNode, useState } from 'react';
import { Button } from '../../../../../console/src/ui/Button.tsx';
import { Card } from '../../../../../console/src/ui/Card.tsx';
import styles from '../../explorer.module.css';
import { TargetLink } from '../../parts/links.tsx';
import type { NamedContract } from '../../reader.ts';
import { texts } from '../../texts.ts';
import { decodeLog } from '../abi.ts';
import { DecodedView } from '../DecodedView.tsx';
import type { Log } from '../model.ts';

type Names = ReadonlyMap<string, NamedContract>;

/** The events of a transaction, with the contracts that emitted them. */
export function Logs({ logs, names }: { logs: readonly Log[]; names: Names }) {
  const placeOf = ({ address }: Log) => (
    <TargetLink kind="address" value={address} text={names.get(address.toLowerCase())?.name ?? address} />
  );
  return (
    <Card title={texts.logCount(logs.length)}>
      <LogList logs={logs} names={names} empty={texts.noLogs} placeOf={placeOf} />
    </Card>
  );
}

interface LogListProps {
  logs: readonly Log[];
  names: Names;
  /** What it says when there are none. */
  empty: string;
  /** What stands beside the name of an event: where it is from. */
  placeOf: (log: Log) => ReactNode;
}

/** A contract may emit thousands, which no browser shows at once. */
const step = 50;

/** Events by their names and values. Those of a library or behind a proxy are decoded with all ABIs that are known here. */
export function LogList({ logs, names, empty, placeOf }: LogListProps) {
  const abis = [...names.values()].map(({ abi }) => abi);
  const [count, setCount] = useState(step);
  return (
    <>
      {logs.length === 0 && <p className={styles.none}>{empty}</p>}
      <ol className={styles.logs}>
        {logs.slice(0, count).map((log) => {
          const own = names.get(log.address.toLowerCase());
          const decoded = decodeLog(log, own?.abi, ...abis);
          return (
            <li key={`${log.block}/${log.index}`}>
              <p className={styles.logHead}>
                <strong>{decoded?.name ?? texts.logAt(String(log.index))}</strong>
                {placeOf(log)}
              </p>
              {decoded ? <DecodedView decoded={decoded} token={own?.token} /> : <RawLog {...log} />}
            </li>
          );
        })}
      </ol>
      {logs.length > count && (
        <div className={styles.note}>
          <Button isSmall onClick={() => setCount(count + step)}>
            {texts.moreEvents(Math.min(step, logs.length - count), logs.length)}
          </Button>
        </div>
      )}
    </>
  );
}

function RawLog({ topics, data }: Log) {
  return (
    <dl className={styles.values}>
      <div>
        <dt>{texts.topics}</dt>
        <dd>
          <code>{topics.join('\n')}</code>
        </dd>
      </div>
      <div>
        <dt>{texts.data}</dt>
        <dd>
          <code>{data}</code>
        </dd>
      </div>
    </dl>
  );
}
