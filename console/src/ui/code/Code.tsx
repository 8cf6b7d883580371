import { CopyButton } from '../CopyButton.tsx';
import styles from '../surface.module.css';
import { texts } from '../texts.ts';

interface CodeProps {
  text: string;
  /** What it is, for screen readers. */
  label: string;
  /** What is shown instead, where the text has credentials. */
  shown?: string | undefined;
  /** Whether long lines are broken, as is right for what nobody reads. */
  isWrapped?: boolean;
}

/** A text to copy. */
export function Code({ text, label, shown = text, isWrapped = false }: CodeProps) {
  return (
    <figure className={styles.code} aria-label={label}>
      {/* What scrolls must be reachable by keyboard. */}
      <pre tabIndex={0} className={isWrapped ? styles.wrapped : undefined}>
        <code>{shown}</code>
      </pre>
      <div className={styles.codeCopy}>
        <CopyButton text={text} label={`${texts.copy}: ${label}`} />
      </div>
    </figure>
  );
}
