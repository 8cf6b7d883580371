import type { ReactNode } from 'react';
import { Icon, type IconName } from './Icon.tsx';
import styles from './surface.module.css';

interface EmptyProps {
  icon: IconName;
  title: string;
  text: string;
  children?: ReactNode;
}

/** Nothing is here, and what to do about it. */
export function Empty({ icon, title, text, children }: EmptyProps) {
  return (
    <div className={styles.empty}>
      <div className={styles.emptyIcon}>
        <Icon name={icon} />
      </div>
      <h2>{title}</h2>
      <p>{text}</p>
      {children && <div className={styles.emptyActions}>{children}</div>}
    </div>
  );
}
