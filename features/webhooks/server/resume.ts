import type { Handler } from '../../../apiserver/http/pipeline/handler.ts';
import { annotations } from '../../../core/api/names.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import type { WebhookResource } from '../api/webhook.ts';
import { changeWebhook } from './change.ts';
import type { WebhookDeps } from './deps.ts';
import { answerWebhook } from './mapping.ts';

/** How long an answer waits for the operator to begin. */
const begunLimitMs = 10_000;

/** Ends a pause of either kind: spec.paused is removed, and the operator is asked by annotation, as with kubectl. */
export function resumeWebhook(deps: WebhookDeps): Handler<'resumeWebhook'> {
  return async ({ principal, params, idempotencyMark: mark }) => {
    const found = await deps.find(principal.namespace, params.id);
    const value = new Date(await deps.kube.serverTimeMs()).toISOString();
    const changed = await changeWebhook(deps, { webhook: found, mark }, (current) => {
      const { paused, ...spec } = current.spec;
      if (current.status?.state !== 'Paused' && !paused) return current;
      const all = { ...current.metadata.annotations, [annotations.resume]: value };
      return { ...current, spec, metadata: { ...current.metadata, annotations: all } };
    });
    const hasBegun = ({ metadata, status }: Stored<WebhookResource>) =>
      metadata.uid === changed.metadata.uid && status?.state !== 'Paused';
    return answerWebhook((await deps.waitFor(hasBegun, { timeoutMs: begunLimitMs })) ?? changed, principal);
  };
}
