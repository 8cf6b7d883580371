import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { labelsIn } from '../../../console/src/forms/labels.ts';
import { useSubmit } from '../../../console/src/forms/useSubmit.ts';
import { useInside } from '../../../console/src/session/context.tsx';
import { Failure } from '../../../console/src/ui/Banner.tsx';
import { Button } from '../../../console/src/ui/Button.tsx';
import { AsCode } from '../../../console/src/ui/code/AsCode.tsx';
import { OnceSecret } from '../../../console/src/ui/code/OnceSecret.tsx';
import { Dialog } from '../../../console/src/ui/Dialog.tsx';
import { useKeepPage } from '../../../console/src/ui/keepOpen.ts';
import surface from '../../../console/src/ui/surface.module.css';
import { texts as uiTexts } from '../../../console/src/ui/texts.ts';
import type { NewWebhook } from '../../../sdk/src/generated/types.ts';
import { emptyWebhookForm, toWebhookSpec, type WebhookForm, webhookSnippets } from './form.ts';
import { webhooksKey } from './queries.ts';
import { texts } from './texts.ts';
import { WebhookFields, webhookFields } from './WebhookFields.tsx';

interface NewWebhookProps {
  isOpen: boolean;
  onClose: () => void;
}

/** The signing secret is here while the dialog is open, and nowhere else. */
export function NewWebhookDialog({ isOpen, onClose }: NewWebhookProps) {
  const [made, setMade] = useState<NewWebhook>();
  const close = () => {
    setMade(undefined);
    onClose();
  };
  return (
    <Dialog
      title={made ? texts.madeTitle : texts.create}
      isOpen={isOpen}
      isWide
      isKept={made !== undefined}
      onClose={close}
    >
      {made ? (
        <OnceSecret label={texts.secret} secret={made.secret ?? ''} hint={texts.secretHint} onClose={close} />
      ) : (
        <NewWebhookForm onMade={setMade} onClose={close} />
      )}
    </Dialog>
  );
}

interface FormProps {
  onMade: (made: NewWebhook) => void;
  onClose: () => void;
}

function NewWebhookForm({ onMade, onClose }: FormProps) {
  const { client, me } = useInside();
  const queries = useQueryClient();
  const [form, setForm] = useState<WebhookForm>(emptyWebhookForm);
  const name = form.name.trim();
  const spec = toWebhookSpec(form);
  const { isBusy, submit, at, error } = useSubmit({
    fields: webhookFields,
    run: () => client.webhooks.create({ name, spec }),
    done: (made) => {
      onMade(made);
      void queries.invalidateQueries({ queryKey: webhooksKey });
    },
  });
  useKeepPage(isBusy);
  return (
    <form className={surface.cardForm} onSubmit={submit} noValidate>
      {error !== undefined && <Failure error={error} />}
      <WebhookFields form={form} at={at} isNew set={(change) => setForm((now) => ({ ...now, ...change }))} />
      <AsCode snippets={webhookSnippets(me.workspace?.id ?? '', name, spec)} />
      <div className={surface.dialogActions}>
        <Button onClick={onClose} disabled={isBusy}>
          {uiTexts.cancel}
        </Button>
        <Button type="submit" look="primary" isBusy={isBusy} disabled={!labelsIn(form.labels)}>
          {texts.create}
        </Button>
      </div>
    </form>
  );
}
