import { Link, useLocation } from '@tanstack/react-router';
import { useFirstKey } from '../session/firstKey.ts';
import styles from './app.module.css';
import { texts } from './texts.ts';

/** Reminds the administrator of what comes first. */
export function FirstKeyNews() {
  const { pathname } = useLocation();
  const key = useFirstKey();
  if (!key || pathname === '/account') return null;
  return (
    <aside className={styles.firstKey} aria-label={texts.firstKeyNews}>
      {texts.firstKey} <Link to="/account">{texts.firstKeyAction}</Link>.
    </aside>
  );
}
