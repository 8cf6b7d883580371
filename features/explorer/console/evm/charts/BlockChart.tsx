import { type PointerEvent, useId, useState } from 'react';
import { whole } from '../../amounts.ts';
import { keptCount } from '../recent.ts';
import styles from './charts.module.css';
import { heightsOf, type Point, summaryOf } from './series.ts';
import { texts } from './texts.ts';

interface BlockChartProps {
  label: string;
  /** The oldest first; at least one. */
  points: readonly Point[];
}

/** The place of the newest block; each older one is a place before it. */
const last = keptCount - 1;

/**
 * Bars by block. An invisible slider lies over them: hovering, dragging and the arrow keys choose a block, and screen readers say
 * what it has. Until one is chosen, it is the newest.
 */
export function BlockChart({ label, points }: BlockChartProps) {
  const id = useId();
  const [chosen, setChosen] = useState<bigint>();
  const start = keptCount - points.length;
  const found = points.findIndex(({ number }) => number === chosen);
  const place = found < 0 ? last : start + found;
  const shown = points[place - start];
  const choose = (wanted: number) => setChosen(points[Math.max(0, wanted - start)]?.number);
  const hover = ({ currentTarget, clientX }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    choose(Math.min(last, Math.floor(((clientX - left) / width) * keptCount)));
  };
  const text = shown ? texts.at(whole(shown.number), shown.text) : '';
  return (
    <figure className={styles.chart}>
      <figcaption>
        <h3>{label}</h3>
        <p className={styles.value}>{text}</p>
      </figcaption>
      <div className={styles.plot}>
        <Bars points={points} chosen={found < 0 ? undefined : place} />
        <input
          type="range"
          className={styles.range}
          aria-label={label}
          aria-describedby={id}
          aria-valuetext={text}
          min={0}
          max={last}
          value={place}
          onChange={({ target }) => choose(target.valueAsNumber)}
          onFocus={() => choose(place)}
          onBlur={() => setChosen(undefined)}
          onPointerMove={hover}
          // After a touch, what was touched stays.
          onPointerLeave={({ pointerType }) => pointerType === 'mouse' && setChosen(undefined)}
        />
      </div>
      <p id={id} className={styles.summary}>
        {summaryOf(points)}
      </p>
    </figure>
  );
}

function Bars({ points, chosen }: { points: readonly Point[]; chosen: number | undefined }) {
  const start = keptCount - points.length;
  return (
    <svg
      className={styles.bars}
      viewBox={`0 0 ${keptCount} 100`}
      preserveAspectRatio="none"
      aria-hidden="true"
      focusable="false"
    >
      {chosen !== undefined && <rect className={styles.cursor} x={chosen} width={1} height={100} />}
      {heightsOf(points).map((height, index) => (
        <rect
          key={String(points[index]?.number)}
          className={start + index === chosen ? styles.chosen : styles.bar}
          x={start + index + 0.1}
          y={100 - height}
          width={0.8}
          height={height}
        />
      ))}
    </svg>
  );
}
