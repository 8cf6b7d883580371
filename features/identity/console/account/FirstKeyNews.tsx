import { Link, useLocation } from '@tanstack/react-router';
import styles from '../../../../console/src/app/app.module.css';
import { useFirstKey } from './firstKey.ts';
import { news } from './news.ts';

/** Reminds the administrator of what comes first. */
export function FirstKeyNews() {
  const { pathname } = useLocation();
  const key = useFirstKey();
  if (!key || pathname === '/account') return null;
  return (
    <aside aria-label={news.title}>
      <p className={styles.firstKey}>
        {news.text} <Link to="/account">{news.action}</Link>.
      </p>
    </aside>
  );
}
