import { Dialog as Base } from '@base-ui/react/dialog';
import { type ReactNode, useState } from 'react';
import { KeepOpenContext } from './keepOpen.ts';
import styles from './surface.module.css';

interface DialogProps {
  title: string;
  text?: string | undefined;
  isOpen: boolean;
  isWide?: boolean;
  /** Only a button in it closes it: not Escape either. */
  isKept?: boolean;
  /** What is typed in it stays until it is closed on purpose. */
  onClose: () => void;
  children: ReactNode;
}

/** A form or a short text above the page. Its content is new each time it opens. While a form in it is sent, it stays open. */
export function Dialog({
  title,
  text,
  isOpen,
  isWide = false,
  isKept = false,
  onClose,
  children,
}: DialogProps) {
  const [isBusy, setBusy] = useState(false);
  const close = () => {
    if (!isKept && !isBusy) onClose();
  };
  return (
    <Base.Root open={isOpen} disablePointerDismissal onOpenChange={(open) => !open && close()}>
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Popup className={`${styles.dialog} ${isWide ? styles.wide : ''}`}>
          <Base.Title className={styles.dialogTitle}>{title}</Base.Title>
          {text && <Base.Description className={styles.dialogText}>{text}</Base.Description>}
          <KeepOpenContext value={setBusy}>{children}</KeepOpenContext>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
