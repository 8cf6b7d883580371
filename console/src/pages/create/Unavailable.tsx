import controls from '../../ui/controls.module.css';
import styles from './create.module.css';
import type { Offer } from './offers.ts';
import { texts } from './texts.ts';

interface UnavailableProps {
  values: readonly string[];
  offerOf: (value: string) => Offer;
}

/** Which of the values this installation cannot run, and why. */
export function Unavailable({ values, offerOf }: UnavailableProps) {
  const rows = values.flatMap((value) => {
    const { missing } = offerOf(value);
    return missing === undefined ? [] : [{ value, missing }];
  });
  if (rows.length === 0) return null;
  return (
    <details className={`${styles.unavailable} ${controls.hint}`}>
      <summary>{texts.unavailable(rows.map(({ value }) => value))}</summary>
      <dl>
        {rows.map(({ value, missing }) => (
          <div key={value}>
            <dt>{value}</dt>
            <dd>{missing}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
