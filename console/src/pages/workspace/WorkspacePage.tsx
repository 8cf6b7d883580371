import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { usePageTitle } from '../../app/usePageTitle.ts';
import { features } from '../../features.ts';
import { useInside, useMay } from '../../session/context.tsx';
import { Empty } from '../../ui/Empty.tsx';
import surface from '../../ui/surface.module.css';
import { texts } from './texts.ts';
import styles from './workspace.module.css';

const ofFeatures = features.flatMap(({ workspaceSections = [] }) => workspaceSections);

/** What surrounds the pages about the workspace itself. Sections that the role may not see are not offered, and say so at their address. */
export function WorkspacePage() {
  const { me } = useInside();
  const { pathname } = useLocation();
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
  const hidden = sections.find(({ to, isShown }) => !isShown && `${pathname}/`.startsWith(`${to}/`));
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
      {hidden ? <Forbidden label={hidden.label} /> : <Outlet />}
    </>
  );
}

function Forbidden({ label }: { label: string }) {
  usePageTitle(label);
  return (
    <div className={surface.card}>
      <Empty icon="key" title={texts.forbiddenTitle(label)} text={texts.forbiddenText} />
    </div>
  );
}
