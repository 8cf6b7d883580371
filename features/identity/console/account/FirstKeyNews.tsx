import { Link, useLocation } from '@tanstack/react-router';
import styles from '../../../../console/src/app/app.module.css';
import { useFirstKey } from './firstKey.ts';
import { texts } from './texts.ts';

/** Reminds the administrator of what comes first. */
export function FirstKeyNews() {
  const { pathname } = useLocation();
  const key = useFirstKey();
  if (!key || pathname === '/account') return null;
  return (
    <aside aria-label={texts.news.title}>
      <p className={styles.firstKey}>
        {texts.news.text} <Link to="/account">{texts.news.action}</Link>.
      </p>
    </aside>
  );
}
