import styles from './change.module.css';
import { diffLines } from './diff.ts';
import { texts } from './texts.ts';

const marks = { same: ' ', added: '+', removed: '-' };
const names = { same: '', added: texts.added, removed: texts.removed };

/** What a change does to a text, line by line: by mark and colour, and in words for screen readers. */
export function Diff({ before, after }: { before: string; after: string }) {
  const lines = diffLines(before, after);
  return (
    <section className={styles.diff} aria-label={texts.changes} tabIndex={0}>
      {lines.map(({ kind, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity, and none of them has a state.
        <div key={index} className={styles[kind]}>
          <span aria-hidden="true">{marks[kind]} </span>
          {kind !== 'same' && <span className={styles.hidden}>{names[kind]}: </span>}
          {text}
        </div>
      ))}
    </section>
  );
}
