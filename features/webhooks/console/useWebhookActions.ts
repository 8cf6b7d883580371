import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { systemClock } from '../../../console/src/lib/clock.ts';
import { useInside } from '../../../console/src/session/context.tsx';
import type { Question } from '../../../console/src/ui/Confirm.tsx';
import { tell, tellFailure } from '../../../console/src/ui/toasts.ts';
import type { Webhook, WebhookDelivery } from '../../../sdk/src/generated/types.ts';
import { waitForAttempt } from './outcome.ts';
import { useReadAgain, useShowWebhook, webhooksKey } from './queries.ts';
import { texts } from './texts.ts';

/** What can be done with a webhook, and what to ask before. */
export function useWebhookActions(webhook: Webhook) {
  const { client } = useInside();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const show = useShowWebhook();
  const watch = useWatch(webhook.id);
  const [question, setQuestion] = useState<Question>();
  const [secret, setSecret] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const { id, name, spec, metadata } = webhook;
  const rev = { metadata: { rev: metadata.rev } };
  const then = (text: string) => (changed: Webhook) => {
    show(changed);
    tell(text);
  };
  return {
    question,
    secret,
    isBusy,
    watch,
    close: () => setQuestion(undefined),
    forget: () => setSecret(undefined),
    test() {
      setBusy(true);
      client.webhooks
        .test(id)
        .then((queued) => {
          tell(texts.tested);
          return watch(queued);
        })
        .catch(tellFailure)
        .finally(() => setBusy(false));
    },
    pause: () =>
      void client.webhooks
        .replace(id, { ...rev, spec: { ...spec, paused: true } })
        .then(then(texts.paused), tellFailure),
    resume: () => void client.webhooks.resume(id).then(then(texts.resumed), tellFailure),
    rotate: () =>
      setQuestion({
        title: texts.rotateTitle,
        text: texts.rotateText,
        action: texts.rotate,
        showsOnce: true,
        run: async () => {
          const { secret: fresh, ...changed } = await client.webhooks.rotateSecret(id, {});
          show(changed);
          setSecret(fresh);
        },
      }),
    remove: () =>
      setQuestion({
        title: texts.removeTitle(name),
        text: texts.removeText,
        action: texts.remove,
        isDanger: true,
        typed: { label: texts.removeTyped, value: name },
        run: async () => {
          await client.webhooks.delete(id);
          tell(texts.removed);
          await navigate({ to: '/settings/webhooks' });
          await queries.invalidateQueries({ queryKey: webhooksKey });
        },
      }),
  };
}

/** Shows what comes of a delivery that was just queued. */
function useWatch(id: string) {
  const { client, signal } = useInside();
  const readAgain = useReadAgain(id);
  return async (queued: WebhookDelivery) => {
    await readAgain();
    const selector = `eventID == ${queued.eventID}`;
    const read = () => client.webhooks.listDeliveries(id, { selector }, { signal });
    await waitForAttempt(queued.id, { clock: systemClock, signal, read });
    await readAgain();
  };
}
