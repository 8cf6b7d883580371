import type { ReactNode } from 'react';
import styles from './tag.module.css';

interface TagProps {
  look?: 'plain' | 'warning';
  title?: string;
  children: ReactNode;
}

/** A word about what it stands beside. */
export function Tag({ look = 'plain', title, children }: TagProps) {
  return (
    <span className={`${styles.tag} ${look === 'warning' ? styles.warning : ''}`} title={title}>
      {children}
    </span>
  );
}

/** A name and the tags beside it. */
export function Tagged({ name, title, children }: { name: string; title?: string; children: ReactNode }) {
  return (
    <span className={styles.tagged}>
      <strong title={title}>{name}</strong>
      {children}
    </span>
  );
}
