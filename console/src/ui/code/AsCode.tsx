import styles from '../surface.module.css';
import { texts } from '../texts.ts';
import { Snippets } from './Snippets.tsx';

/** The same request for terminals and programs, behind one line. */
export function AsCode({ snippets }: { snippets: readonly { name: string; text: string }[] }) {
  return (
    <details className={styles.asCode}>
      <summary>{texts.asCode}</summary>
      <Snippets label={texts.asCode} snippets={snippets} />
    </details>
  );
}
