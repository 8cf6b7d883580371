import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { addressNames, features } from '../features.ts';
import { type AddressNames, AddressNamesContext } from '../parts/addressNames.ts';
import { FeaturesContext } from '../parts/useFeature.ts';
import { SearchButton } from '../search/SearchButton.tsx';
import { useMay, useStream } from '../session/context.tsx';
import { Banner, Failure, Reason } from '../ui/Banner.tsx';
import { AccountMenu } from './AccountMenu.tsx';
import styles from './app.module.css';
import { Logo } from './Logo.tsx';
import { texts } from './texts.ts';
import { WorkspaceMenu } from './WorkspaceMenu.tsx';

const noNames: AddressNames = new Map();
const useNames = addressNames?.useNames ?? (() => noNames);

const notices = features.flatMap((feature) => feature.notices ?? []);

/** What surrounds every page. */
export function Shell() {
  const main = useMainFocus();
  const nav = useActiveInSight();
  return (
    <Featured>
      <div className={styles.shell}>
        <a className={styles.skip} href="#content">
          {texts.skip}
        </a>
        <header className={styles.header}>
          <Link to="/networks" className={styles.brand} aria-label={texts.product}>
            <Logo />
          </Link>
          <WorkspaceMenu />
          <nav className={styles.nav} aria-label={texts.nav} ref={nav}>
            {entries.map((entry) => (
              <NavLink key={entry.to} {...entry} />
            ))}
            <Link to="/settings" className={styles.navLink}>
              {texts.workspaceSettings}
            </Link>
            <a href="/guide/" className={styles.navLink}>
              {texts.docs}
            </a>
          </nav>
          <SearchButton />
          <AccountMenu />
        </header>
        {notices.map(({ name, Notice }) => (
          <Notice key={name} />
        ))}
        <LiveNews />
        <main id="content" className={styles.main} ref={main} tabIndex={-1}>
          <Outlet />
        </main>
      </div>
    </Featured>
  );
}

/** Every page shows what features add to it, and addresses by their names. */
function Featured({ children }: { children: ReactNode }) {
  return (
    <FeaturesContext value={features}>
      <AddressNamesContext value={useNames()}>{children}</AddressNamesContext>
    </FeaturesContext>
  );
}

const entries = [
  { to: '/networks', label: texts.networks, permission: 'networks:read' },
  { to: '/tokens', label: texts.tokens, permission: 'tokens:read' },
  { to: '/transactions', label: texts.transactions, permission: 'transactions:read' },
  { to: '/recordings', label: texts.recordings, permission: 'recordings:read' },
  { to: '/secrets', label: texts.secrets, permission: 'secrets:read' },
] as const;

function NavLink({ to, label, permission }: (typeof entries)[number]) {
  if (!useMay(permission)) return null;
  return (
    <Link to={to} className={styles.navLink}>
      {label}
    </Link>
  );
}

/** After a change of the page, the keyboard and screen readers go on at its begin. */
function useMainFocus() {
  const { pathname } = useLocation();
  const main = useRef<HTMLElement>(null);
  const last = useRef(pathname);
  useEffect(() => {
    if (last.current === pathname) return;
    last.current = pathname;
    main.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, [pathname]);
  return main;
}

/** On a phone the pages are in a line that scrolls. */
function useActiveInSight() {
  const { pathname } = useLocation();
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    const active = nav.current?.querySelector(`a[href="/${pathname.split('/')[1]}"]`);
    active?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [pathname]);
  return nav;
}

function LiveNews() {
  const { connection, error } = useStream();
  if (connection !== 'interrupted' && connection !== 'ended') return null;
  return (
    <div className={styles.news}>
      {connection === 'ended' ? (
        <Failure error={error} title={texts.noStream} />
      ) : (
        <Banner look="busy" icon="refresh" title={texts.interrupted}>
          {error !== undefined && <Reason error={error} />}
        </Banner>
      )}
    </div>
  );
}
