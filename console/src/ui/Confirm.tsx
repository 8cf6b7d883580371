import { AlertDialog } from '@base-ui/react/alert-dialog';
import { type FormEvent, useState } from 'react';
import { Button, buttonClass } from './Button.tsx';
import { TextField } from './Field.tsx';
import { KeepOpenContext, useKeepOpen, useKeepPage } from './keepOpen.ts';
import styles from './surface.module.css';
import { texts } from './texts.ts';
import { tellFailure } from './toasts.ts';

export interface Question {
  title: string;
  text: string;
  action: string;
  isDanger?: boolean;
  /** What has to be typed first. */
  typed?: { label: string; value: string };
  /** Whether what comes of it is shown only once. */
  showsOnce?: boolean;
  run: () => Promise<void>;
}

interface ConfirmProps {
  question: Question | undefined;
  onClose: () => void;
}

/** Asks before something is done, and stays until it is: closing it would not undo that. */
export function Confirm({ question, onClose }: ConfirmProps) {
  const [isKept, setKept] = useState(false);
  return (
    <AlertDialog.Root
      open={question !== undefined}
      onOpenChange={(isOpen) => !isOpen && !isKept && onClose()}
    >
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={styles.backdrop} />
        <AlertDialog.Popup className={styles.dialog}>
          <KeepOpenContext value={setKept}>
            {question && <ConfirmForm question={question} onClose={onClose} />}
          </KeepOpenContext>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

function ConfirmForm({ question, onClose }: { question: Question; onClose: () => void }) {
  const { title, text, action, isDanger = false, typed, showsOnce = false, run } = question;
  const [value, setValue] = useState('');
  const [isBusy, setBusy] = useState(false);
  useKeepOpen(isBusy);
  useKeepPage(isBusy && showsOnce);
  const isAllowed = typed === undefined || value === typed.value;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isAllowed || isBusy) return;
    setBusy(true);
    run()
      .then(onClose, tellFailure)
      .finally(() => setBusy(false));
  };
  return (
    <form className={styles.cardForm} onSubmit={submit}>
      <AlertDialog.Title className={styles.dialogTitle}>{title}</AlertDialog.Title>
      <AlertDialog.Description className={styles.dialogText}>{text}</AlertDialog.Description>
      {typed && <TextField label={typed.label} value={value} onChange={setValue} />}
      <div className={styles.dialogActions}>
        <AlertDialog.Close className={buttonClass()} disabled={isBusy}>
          {texts.cancel}
        </AlertDialog.Close>
        <Button type="submit" look={isDanger ? 'danger' : 'primary'} disabled={!isAllowed} isBusy={isBusy}>
          {action}
        </Button>
      </div>
    </form>
  );
}
