import type { Usage } from '../../../sdk/src/generated/types.ts';
import { barsOf, type Measure, totalOf } from './figures.ts';
import { texts } from './texts.ts';
import styles from './usage.module.css';

interface BarsProps {
  days: Usage['days'];
  measure: Measure;
}

const barWidth = 6;
const step = 10;

/** A bar for each day. Screen readers get the sum, and the table below has each number. */
export function Bars({ days, measure }: BarsProps) {
  const name = texts.measures[measure];
  const total = totalOf(days, measure);
  const [first, last] = [days[0], days.at(-1)];
  return (
    <figure className={styles.chart}>
      <figcaption>
        <h3>{name}</h3>
        <p>
          <strong>{texts.number(last?.[measure] ?? 0)}</strong> {texts.today}
          <span className={styles.muted}>
            {' · '}
            {texts.number(total)} {texts.inAll(days.length)}
          </span>
        </p>
      </figcaption>
      <svg
        role="img"
        aria-label={texts.chart(name, total, days.length)}
        viewBox={`0 0 ${days.length * step} 100`}
        preserveAspectRatio="none"
      >
        {barsOf(days, measure).map(({ day, value, height }, index) => (
          <g key={day}>
            <title>{texts.bar(day, value)}</title>
            <rect className={styles.hit} x={index * step} y="0" width={step} height="100" />
            <rect className={styles.rest} x={index * step + 2} y="99" width={barWidth} height="1" />
            <rect
              className={styles.bar}
              x={index * step + 2}
              y={100 - height}
              width={barWidth}
              height={height}
            />
          </g>
        ))}
      </svg>
      <p className={styles.axis} aria-hidden="true">
        <span>{first?.day}</span>
        <span>{last?.day}</span>
      </p>
    </figure>
  );
}
