import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSubmit } from '../../../console/src/forms/useSubmit.ts';
import { systemClock } from '../../../console/src/lib/clock.ts';
import { ExpiryField } from '../../../console/src/parts/access/ExpiryField.tsx';
import { useInside } from '../../../console/src/session/context.tsx';
import { Failure } from '../../../console/src/ui/Banner.tsx';
import { Button } from '../../../console/src/ui/Button.tsx';
import { Dialog } from '../../../console/src/ui/Dialog.tsx';
import { TextField } from '../../../console/src/ui/Field.tsx';
import surface from '../../../console/src/ui/surface.module.css';
import { texts as uiTexts } from '../../../console/src/ui/texts.ts';
import { tell } from '../../../console/src/ui/toasts.ts';
import { emptyKeyForm, type KeyForm, toKeyBody } from './form.ts';
import { keysKey } from './queries.ts';
import { texts } from './texts.ts';

interface NewKeyProps {
  network: string;
  isOpen: boolean;
  onClose: () => void;
}

export function NewKey({ network, isOpen, onClose }: NewKeyProps) {
  return (
    <Dialog title={texts.create} isOpen={isOpen} onClose={onClose}>
      <NewKeyForm network={network} onClose={onClose} />
    </Dialog>
  );
}

function NewKeyForm({ network, onClose }: Omit<NewKeyProps, 'isOpen'>) {
  const { client } = useInside();
  const queries = useQueryClient();
  const [form, setForm] = useState<KeyForm>(emptyKeyForm);
  const set = (change: Partial<KeyForm>) => setForm((now) => ({ ...now, ...change }));
  const { isBusy, submit, at, error } = useSubmit({
    fields: ['name', 'expiresAt', 'methods'],
    run: () => client.networks.createKey(network, toKeyBody(form, systemClock.nowMs())),
    done: () => {
      void queries.invalidateQueries({ queryKey: keysKey(network) });
      tell(texts.created);
      onClose();
    },
  });
  return (
    <form className={surface.cardForm} onSubmit={submit} noValidate>
      {error !== undefined && <Failure error={error} />}
      <TextField
        label={texts.name}
        hint={texts.nameHint}
        error={at.name}
        value={form.name}
        maxLength={63}
        onChange={(name) => set({ name })}
      />
      <ExpiryField
        label={texts.validFor}
        hours={form.hours}
        options={texts.lifetimes}
        error={at.expiresAt}
        onChange={(hours) => set({ hours })}
      />
      <TextField
        label={texts.methods}
        hint={texts.methodsHint}
        error={at.methods}
        isOptional
        value={form.methods}
        onChange={(methods) => set({ methods })}
      />
      <div className={surface.dialogActions}>
        <Button onClick={onClose}>{uiTexts.cancel}</Button>
        <Button type="submit" look="primary" isBusy={isBusy}>
          {texts.create}
        </Button>
      </div>
    </form>
  );
}
