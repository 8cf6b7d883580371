import { Card } from '../../../../console/src/ui/Card.tsx';
import { Scrolled } from '../../../../console/src/ui/table/Scrolled.tsx';
import { whole } from '../amounts.ts';
import styles from '../explorer.module.css';
import { ShortLink } from '../parts/links.tsx';
import { texts } from '../texts.ts';
import { decodeInput, oneLine, revertReason } from './abi.ts';
import type { WholeTransaction } from './readTransaction.ts';
import type { TraceCall } from './trace.ts';
import { useCoins } from './useCoins.ts';

const shownCalls = 2_000;

/** The calls inside a transaction, as a tree: each line is as deep as its call. */
export function Trace({ calls, isTraceGone, names }: WholeTransaction) {
  return (
    <Card title={texts.trace}>
      {calls === undefined && <p className={styles.none}>{isTraceGone ? texts.traceGone : texts.noTrace}</p>}
      {calls && (
        <Scrolled label={texts.trace}>
          <ol className={styles.trace}>
            {calls.map((call) => (
              <Line key={call.path} call={call} names={names} />
            ))}
          </ol>
        </Scrolled>
      )}
      {calls && calls.length >= shownCalls && <p className={styles.note}>{texts.traceCut}</p>}
    </Card>
  );
}

function Line({ call, names }: { call: TraceCall; names: WholeTransaction['names'] }) {
  const { path, depth, type, to, value, gasUsed, input, output, error } = call;
  const inCoins = useCoins();
  const contract = to === undefined ? undefined : names.get(to.toLowerCase());
  const decoded = type.startsWith('CREATE') ? undefined : decodeInput(input, contract?.abi);
  const reason = error === undefined ? undefined : (revertReason(output, contract?.abi) ?? error);
  return (
    <li style={{ paddingLeft: `${Math.min(depth, 30) * 20}px` }}>
      <span className={styles.muted}>{path}</span>
      <span className={styles.callType}>{type}</span>
      {to !== undefined && <ShortLink kind="address" value={to} name={contract?.name} />}
      <code>
        {decoded ? `${decoded.name}(${decoded.values.map(oneLine).join(', ')})` : selectorOf(type, input)}
      </code>
      {value > 0n && <span>{inCoins(value)}</span>}
      <span className={styles.muted}>{`${whole(gasUsed)} ${texts.gas}`}</span>
      {reason !== undefined && <strong className={styles.reason}>{reason}</strong>}
    </li>
  );
}

function selectorOf(type: string, input: string): string {
  return type.startsWith('CREATE') || input === '0x' ? '' : input.slice(0, 10);
}
