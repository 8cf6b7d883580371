import type { ReactNode } from 'react';
import { Icon, type IconName } from './Icon.tsx';
import styles from './surface.module.css';

interface EmptyProps {
  icon: IconName;
  title: string;
  text: string;
  /** Whether it is all of a page, whose title it then is. */
  isPage?: boolean;
  children?: ReactNode;
}

/** Nothing is here, and what to do about it. */
export function Empty({ icon, title, text, isPage = false, children }: EmptyProps) {
  const Title = isPage ? 'h1' : 'h2';
  return (
    <div className={styles.empty}>
      <div className={styles.emptyIcon}>
        <Icon name={icon} />
      </div>
      <Title>{title}</Title>
      <p>{text}</p>
      {children && <div className={styles.emptyActions}>{children}</div>}
    </div>
  );
}
