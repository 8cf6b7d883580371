import { useEffect, useState } from 'react';
import { part } from '../loading/part.tsx';
import { Button } from '../ui/Button.tsx';
import styles from './search.module.css';
import { texts } from './texts.ts';

/** It is loaded when it is opened for the first time. */
const SearchDialog = part(() => import('./SearchDialog.tsx').then((file) => file.SearchDialog));

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
        className={styles.trigger}
        aria-keyshortcuts={isMac ? 'Meta+K' : 'Control+K'}
        onMouseEnter={() => void SearchDialog.preload()}
        onClick={() => setOpen(true)}
      >
        <span className={styles.label}>{texts.open}</span> <kbd>{texts.shortcut(isMac)}</kbd>
      </Button>
      {isOpen !== undefined && <SearchDialog isOpen={isOpen} onClose={() => setOpen(false)} />}
    </>
  );
}
