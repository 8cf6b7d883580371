import { useEffect, useState } from 'react';
import { explorer } from '../features.ts';
import { part } from '../loading/part.tsx';
import { Button } from '../ui/Button.tsx';
import styles from './search.module.css';
import { texts } from './texts.ts';

/** It is loaded when it is opened for the first time. */
const SearchDialog = part(async () => {
  const [Dialog, useFound] = await Promise.all([
    import('./SearchDialog.tsx').then((file) => file.SearchDialog),
    explorer?.loadSearch(),
  ]);
  return (props: { isOpen: boolean; onClose: () => void }) => <Dialog {...props} useFound={useFound} />;
});

const isMac = /mac|iphone|ipad/i.test(navigator.userAgent);

/** Opens the search over everything, by a click or by Ctrl K. */
export function SearchButton() {
  const [isOpen, setOpen] = useState<boolean>();
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isShortcut = (isMac ? event.metaKey : event.ctrlKey) && event.key.toLowerCase() === 'k';
      if (!isShortcut || event.altKey || event.shiftKey) return;
      event.preventDefault();
      setOpen(true);
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
  return (
    <>
      <Button
        look="quiet"
        icon="search"
        aria-keyshortcuts={isMac ? 'Meta+K' : 'Control+K'}
        onMouseEnter={() => void SearchDialog.preload()}
        onClick={() => setOpen(true)}
      >
        <span className={styles.label}>{texts.open}</span>{' '}
        <span className={styles.keys} aria-hidden="true">
          {texts.shortcut(isMac)}
        </span>
      </Button>
      {isOpen !== undefined && <SearchDialog isOpen={isOpen} onClose={() => setOpen(false)} />}
    </>
  );
}
