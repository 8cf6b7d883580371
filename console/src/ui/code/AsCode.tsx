import page from '../page.module.css';
import styles from '../surface.module.css';
import { texts } from '../texts.ts';
import { Snippets } from './Snippets.tsx';

interface AsCodeProps {
  snippets: readonly { name: string; text: string }[];
}

/** The same request for terminals and programs, beside its form. */
export function AsCodeAside({ snippets }: AsCodeProps) {
  return (
    <aside className={page.aside} aria-label={texts.asCode}>
      <h2>{texts.asCode}</h2>
      <Snippets label={texts.asCode} snippets={snippets} />
    </aside>
  );
}

/** The same, behind one line. */
export function AsCode({ snippets }: AsCodeProps) {
  return (
    <details className={styles.asCode}>
      <summary>{texts.asCode}</summary>
      <Snippets label={texts.asCode} snippets={snippets} />
    </details>
  );
}
