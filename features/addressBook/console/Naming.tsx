import { useState } from 'react';
import { useMay } from '../../../console/src/session/context.tsx';
import { Button } from '../../../console/src/ui/Button.tsx';
import page from '../../../console/src/ui/page.module.css';
import { AddressDialog } from './AddressDialog.tsx';
import { useBook } from './names.ts';
import { texts } from './texts.ts';

/** On the page of an address: its note, and the way to name it. */
export function Naming({ address }: { address: string }) {
  const mayWrite = useMay('networks:write');
  const entry = useBook().data?.find((one) => one.address === address.toLowerCase());
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      {entry?.note !== undefined && <span className={page.muted}>{entry.note}</span>}
      {mayWrite && (
        <Button isSmall look="quiet" icon="edit" onClick={() => setOpen(true)}>
          {entry ? texts.rename : texts.nameThis}
        </Button>
      )}
      <AddressDialog entry={entry ?? { address }} isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  );
}
