import type { AccountTransaction } from '../../../../../sdk/src/generated/types.ts';
import { inFewEther } from '../../amounts.ts';
import styles from '../../explorer.module.css';
import { ShortLink } from '../../parts/links.tsx';
import { texts } from '../../texts.ts';
import { useCoins } from '../useCoins.ts';

const mostCalls = 3;

/** The calls within a transaction that are an account's own: who paid or created whom. */
export function InnerCalls({ calls }: { calls: AccountTransaction['inner'] }) {
  const inCoins = useCoins(inFewEther);
  const rest = calls.length - mostCalls;
  return (
    <>
      {calls.slice(0, mostCalls).map(({ type, from, to, value }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: calls have no names, and stay in their order.
        <div key={index} className={styles.muted}>
          {texts.innerCall(type, inCoins(BigInt(value)))} <ShortLink kind="address" value={from} /> →{' '}
          <ShortLink kind="address" value={to} />
        </div>
      ))}
      {rest > 0 && <div className={styles.muted}>{texts.moreCalls(rest)}</div>}
    </>
  );
}
