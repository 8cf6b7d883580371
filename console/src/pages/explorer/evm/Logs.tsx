import styles from '../explorer.module.css';
import { TargetLink } from '../parts/links.tsx';
import { Card } from '../parts/Rows.tsx';
import type { NamedContract } from '../reader.ts';
import { texts } from '../texts.ts';
import { decodeLog } from './abi.ts';
import { DecodedView } from './DecodedView.tsx';
import type { Log } from './model.ts';

type Names = ReadonlyMap<string, NamedContract>;

/** The events of a transaction. Those of a library or behind a proxy are decoded with all ABIs that are known here. */
export function Logs({ logs, names }: { logs: readonly Log[]; names: Names }) {
  const abis = [...names.values()].map(({ abi }) => abi);
  return (
    <Card title={texts.logCount(logs.length)}>
      {logs.length === 0 && <p className={styles.none}>{texts.noLogs}</p>}
      <ol className={styles.logs}>
        {logs.map((log) => {
          const own = names.get(log.address.toLowerCase());
          const decoded = decodeLog(log, own?.abi, ...abis);
          return (
            <li key={String(log.index)}>
              <p className={styles.logHead}>
                <strong>{decoded?.name ?? texts.logAt(String(log.index))}</strong>
                <TargetLink kind="address" value={log.address} text={own?.name ?? log.address} />
              </p>
              {decoded ? <DecodedView decoded={decoded} token={own?.token} /> : <RawLog {...log} />}
            </li>
          );
        })}
      </ol>
    </Card>
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
