import { useState } from 'react';
import { labelsIn } from '../../../console/src/forms/labels.ts';
import { useSubmit } from '../../../console/src/forms/useSubmit.ts';
import { useInside } from '../../../console/src/session/context.tsx';
import { Failure } from '../../../console/src/ui/Banner.tsx';
import { Button } from '../../../console/src/ui/Button.tsx';
import { Dialog } from '../../../console/src/ui/Dialog.tsx';
import surface from '../../../console/src/ui/surface.module.css';
import { texts as uiTexts } from '../../../console/src/ui/texts.ts';
import { tell } from '../../../console/src/ui/toasts.ts';
import type { Webhook } from '../../../sdk/src/generated/types.ts';
import { formOf, toWebhookSpec } from './form.ts';
import { useShowWebhook } from './queries.ts';
import { texts } from './texts.ts';
import { WebhookFields, webhookFields } from './WebhookFields.tsx';

interface EditWebhookProps {
  webhook: Webhook;
  isOpen: boolean;
  onClose: () => void;
}

export function EditWebhook({ webhook, isOpen, onClose }: EditWebhookProps) {
  return (
    <Dialog title={texts.editTitle(webhook.name)} isOpen={isOpen} isWide onClose={onClose}>
      <EditForm webhook={webhook} onClose={onClose} />
    </Dialog>
  );
}

/** What somebody else changed meanwhile is not overwritten: the answer is a conflict. */
function EditForm({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { client } = useInside();
  const show = useShowWebhook();
  const [form, setForm] = useState(() => formOf(webhook));
  const { isBusy, submit, at, error } = useSubmit({
    fields: webhookFields.filter((field) => field !== 'name'),
    run: () =>
      client.webhooks.replace(webhook.id, {
        metadata: { rev: webhook.metadata.rev },
        spec: toWebhookSpec(form, webhook.spec),
      }),
    done: (changed) => {
      show(changed);
      tell(texts.saved);
      onClose();
    },
  });
  return (
    <form className={surface.cardForm} onSubmit={submit} noValidate>
      {error !== undefined && <Failure error={error} />}
      <WebhookFields
        form={form}
        at={at}
        isNew={false}
        set={(change) => setForm((now) => ({ ...now, ...change }))}
      />
      <div className={surface.dialogActions}>
        <Button onClick={onClose} disabled={isBusy}>
          {uiTexts.cancel}
        </Button>
        <Button type="submit" look="primary" isBusy={isBusy} disabled={!labelsIn(form.labels)}>
          {texts.save}
        </Button>
      </div>
    </form>
  );
}
