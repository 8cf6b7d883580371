import { useState } from 'react';
import { useSubmit } from '../../../console/src/forms/useSubmit.ts';
import { useInside } from '../../../console/src/session/context.tsx';
import { Failure } from '../../../console/src/ui/Banner.tsx';
import { Button } from '../../../console/src/ui/Button.tsx';
import { Dialog } from '../../../console/src/ui/Dialog.tsx';
import { TextField } from '../../../console/src/ui/Field.tsx';
import surface from '../../../console/src/ui/surface.module.css';
import { texts as uiTexts } from '../../../console/src/ui/texts.ts';
import { tell } from '../../../console/src/ui/toasts.ts';
import { type AddressForm, toSpec } from './book.ts';
import { useReadAgain } from './changes.ts';
import { texts } from './texts.ts';

interface AddressDialogProps {
  /** The address to name, with what is known of it; undefined: any. */
  entry?: { address: string; name?: string | undefined; note?: string | undefined } | undefined;
  isOpen: boolean;
  onClose: () => void;
}

/** Names an address, or gives it another name. */
export function AddressDialog({ entry, isOpen, onClose }: AddressDialogProps) {
  const title = entry === undefined ? texts.create : entry.name === undefined ? texts.nameThis : texts.rename;
  return (
    <Dialog title={title} text={entry?.address} isOpen={isOpen} onClose={onClose}>
      <Form entry={entry} onClose={onClose} />
    </Dialog>
  );
}

function Form({ entry, onClose }: Omit<AddressDialogProps, 'isOpen'>) {
  const { client } = useInside();
  const readAgain = useReadAgain();
  const { address = '', name = '', note = '' } = entry ?? {};
  const [form, setForm] = useState<AddressForm>({ address, name, note });
  const set = (change: Partial<AddressForm>) => setForm((now) => ({ ...now, ...change }));
  const { isBusy, submit, at, error } = useSubmit({
    fields: ['name', 'note', 'address'],
    run: () => client.addresses.set(form.address.trim(), toSpec(form)),
    done: () => {
      void readAgain();
      tell(texts.saved);
      onClose();
    },
  });
  return (
    <form className={surface.cardForm} onSubmit={submit} noValidate>
      {error !== undefined && <Failure error={error} />}
      {entry === undefined && (
        <TextField
          label={texts.address}
          hint={texts.addressHint}
          error={at.address}
          value={form.address}
          onChange={(value) => set({ address: value })}
        />
      )}
      <Words form={form} at={at} set={set} />
      <div className={surface.dialogActions}>
        <Button onClick={onClose}>{uiTexts.cancel}</Button>
        <Button type="submit" look="primary" isBusy={isBusy}>
          {texts.save}
        </Button>
      </div>
    </form>
  );
}

interface WordsProps {
  form: AddressForm;
  at: Readonly<Record<string, string>>;
  set: (change: Partial<AddressForm>) => void;
}

function Words({ form, at, set }: WordsProps) {
  return (
    <>
      <TextField
        label={texts.name}
        hint={texts.nameHint}
        error={at.name}
        value={form.name}
        maxLength={64}
        onChange={(name) => set({ name })}
      />
      <TextField
        label={texts.note}
        hint={texts.noteHint}
        error={at.note}
        isOptional
        value={form.note}
        maxLength={256}
        onChange={(note) => set({ note })}
      />
    </>
  );
}
