import { Link, Outlet } from '@tanstack/react-router';
import { features } from '../../features.ts';
import { useInside, useMay } from '../../session/context.tsx';
import surface from '../../ui/surface.module.css';
import { texts } from './texts.ts';
import styles from './workspace.module.css';

const ofFeatures = features.flatMap(({ workspaceSections = [] }) => workspaceSections);

/** What surrounds the pages about the workspace itself. Sections that the role may not see are not offered. */
export function WorkspacePage() {
  const { me } = useInside();
  const seesKeys = useMay('api-keys:read');
  const sections = [
    { to: '/settings/members', label: texts.members, isShown: true },
    { to: '/settings/api-keys', label: texts.apiKeys, isShown: seesKeys },
    ...ofFeatures.map(({ path, label, permission }) => ({
      to: `/settings${path}`,
      label,
      isShown: permission === undefined || me.permissions.includes(permission),
    })),
    { to: '/settings/general', label: texts.settings, isShown: true },
  ];
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
