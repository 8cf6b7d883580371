import { useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { part } from '../../../../../console/src/loading/part.tsx';
import { useMay } from '../../../../../console/src/session/context.tsx';
import { Button } from '../../../../../console/src/ui/Button.tsx';
import { useExplored } from '../../context.tsx';
import type { SendKind } from './form.ts';
import { texts } from './texts.ts';

/** Few send from here: the forms, and what encodes, are loaded when they are opened. */
const SendDialog = part(() => import('./SendDialog.tsx').then((file) => file.SendDialog));

interface SendButtonProps {
  /** What the dialog begins with. */
  kind?: SendKind;
  /** Called when the dialog closes. */
  onClosed?: () => void;
}

/** Opens the forms with which the service sends for whoever may. */
export function SendButton({ kind = 'transfer', onClosed }: SendButtonProps) {
  const { family } = useExplored();
  const may = useMay('transactions:write');
  const [isOpen, setOpen] = useState<boolean>();
  const { pathname } = useLocation();
  // Whoever follows a link of what was sent is done here.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it closes when the page changes.
  useEffect(() => setOpen((is) => (is === undefined ? is : false)), [pathname]);
  if (!may || family !== 'evm') return null;
  const close = () => {
    setOpen(false);
    onClosed?.();
  };
  return (
    <>
      <Button icon="plus" onClick={() => setOpen(true)}>
        {kind === 'deploy' ? texts.kinds.deploy : texts.open}
      </Button>
      {isOpen !== undefined && <SendDialog isOpen={isOpen} start={kind} onClose={close} />}
    </>
  );
}
