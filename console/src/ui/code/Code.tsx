import { CopyButton } from '../CopyButton.tsx';
import styles from '../surface.module.css';
import { texts } from '../texts.ts';

interface CodeProps {
  text: string;
  /** What it is, for screen readers. */
  label: string;
  /** What is shown instead, where the text has credentials. */
  shown?: string | undefined;
}

/** A text to copy. */
export function Code({ text, label, shown = text }: CodeProps) {
  return (
    <figure className={styles.code} aria-label={label}>
      {/* What scrolls must be reachable by keyboard. */}
      <pre tabIndex={0}>
        <code>{shown}</code>
      </pre>
      <div className={styles.codeCopy}>
        <CopyButton text={text} label={`${texts.copy}: ${label}`} />
      </div>
    </figure>
  );
}
