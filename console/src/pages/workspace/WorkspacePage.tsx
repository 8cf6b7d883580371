import { Link, Outlet } from '@tanstack/react-router';
import { useInside, useMay } from '../../session/context.tsx';
import surface from '../../ui/surface.module.css';
import { texts } from './texts.ts';
import styles from './workspace.module.css';

/** What surrounds the pages about the workspace itself. Sections that the role may not see are not offered. */
export function WorkspacePage() {
  const { me } = useInside();
  const seesKeys = useMay('api-keys:read');
  const seesWebhooks = useMay('webhooks:read');
  const seesAudit = useMay('audit:read');
  const sections = [
    { to: '/settings/members', label: texts.members, isShown: true },
    { to: '/settings/api-keys', label: texts.apiKeys, isShown: seesKeys },
    { to: '/settings/webhooks', label: texts.webhooks, isShown: seesWebhooks },
    { to: '/settings/usage', label: texts.usage, isShown: true },
    { to: '/settings/audit', label: texts.audit, isShown: seesAudit },
    { to: '/settings/general', label: texts.settings, isShown: true },
  ] as const;
  return (
    <>
      <h1>{me.workspace?.name ?? texts.title}</h1>
      <nav className={`${surface.tabs} ${styles.sections}`} aria-label={texts.sections}>
        {sections
          .filter(({ isShown }) => isShown)
          .map(({ to, label }) => (
            <Link key={to} to={to} className={surface.tab} activeProps={{ 'data-active': true }}>
              {label}
            </Link>
          ))}
      </nav>
      <Outlet />
    </>
  );
}
