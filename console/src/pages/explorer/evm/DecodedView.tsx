import styles from '../explorer.module.css';
import { TargetLink } from '../parts/links.tsx';
import { texts } from '../texts.ts';
import type { Decoded, Shown } from './abi.ts';

/** A call or an event by its names. */
export function DecodedView({ decoded }: { decoded: Decoded }) {
  return (
    <div className={styles.decoded}>
      <p>
        <code>{decoded.signature}</code>
        {decoded.isGuess && <small className={styles.muted}> {texts.guess}</small>}
      </p>
      <Values values={decoded.values} />
    </div>
  );
}

/** Values with their names and types; lists and structs inside each other. */
export function Values({ values }: { values: readonly Shown[] }) {
  if (values.length === 0) return null;
  return (
    <dl className={styles.values}>
      {values.map((value, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the values of a call have their places, and names may repeat.
        <div key={index}>
          <dt>
            {value.name} <small>{value.type}</small>
          </dt>
          <dd>{value.parts ? <Values values={value.parts} /> : <Text {...value} />}</dd>
        </div>
      ))}
    </dl>
  );
}

function Text({ type, text = '' }: Shown) {
  if (type === 'address') return <TargetLink kind="address" value={text} />;
  return <code>{text}</code>;
}
