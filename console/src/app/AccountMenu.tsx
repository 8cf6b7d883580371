import { useNavigate } from '@tanstack/react-router';
import { features } from '../features.ts';
import { useStore } from '../lib/useStore.ts';
import { session } from '../session/browser.ts';
import { useInside } from '../session/context.tsx';
import { IconButton } from '../ui/Button.tsx';
import { Menu, MenuChoice, MenuItem, MenuSeparator } from '../ui/Menu.tsx';
import { tellFailure } from '../ui/toasts.ts';
import styles from './app.module.css';
import { texts } from './texts.ts';
import { theme, themeNamed, themes } from './theme.ts';

const pages = features.flatMap(({ accountPages = [] }) => accountPages);

export function AccountMenu() {
  const { me } = useInside();
  const navigate = useNavigate();
  const chosen = useStore(theme);
  return (
    <Menu trigger={<IconButton icon="user" label={texts.account} />}>
      <div className={styles.who}>
        <strong>{me.user.name ?? me.user.email ?? me.user.id}</strong>
        <span>{me.role}</span>
      </div>
      <MenuSeparator />
      <MenuChoice
        label={texts.theme}
        value={chosen}
        options={themes.map((value) => ({ value, label: texts.themes[value] }))}
        onChange={(value) => theme.set(themeNamed(value))}
      />
      <MenuSeparator />
      {pages.map(({ path, label }) => (
        <MenuItem key={path} icon="key" onSelect={() => void navigate({ to: path })}>
          {label}
        </MenuItem>
      ))}
      <MenuItem icon="logout" onSelect={() => void session.signOut().catch(tellFailure)}>
        {texts.signOut}
      </MenuItem>
    </Menu>
  );
}
