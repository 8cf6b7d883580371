import type { Handler } from '../../../apiserver/http/pipeline/handler.ts';
import { revisionsOf } from '../../../apiserver/http/pipeline/ifMatch.ts';
import { checkIdentity, checkRevision } from '../../../apiserver/http/pipeline/replacement.ts';
import { withUserLabels } from '../../../core/api/userLabels.ts';
import { compact } from '../../../core/lib/compact.ts';
import { stableJson } from '../../../core/lib/hash.ts';
import type { WebhookSpec } from '../api/webhook.ts';
import { changeWebhook } from './change.ts';
import { checkSpec } from './check.ts';
import type { WebhookDeps } from './deps.ts';
import { answerWebhook } from './mapping.ts';

/** Replaces the spec. If a revision is given (metadata.rev or If-Match), it must still be the current one. */
export function replaceWebhook(deps: WebhookDeps): Handler<'replaceWebhook'> {
  return async ({ principal, params, body, ifMatch }) => {
    const allowedRevs = revisionsOf(ifMatch);
    const found = await deps.find(principal.namespace, params.id);
    checkIdentity(found, body);
    checkSpec(deps, { principal, spec: body.spec, webhook: found });
    const given = body.metadata?.labels;
    const replaced = await changeWebhook(deps, { webhook: found }, (current) => {
      const labels = given ? withUserLabels(current, given) : (current.metadata.labels ?? {});
      const next = {
        ...current,
        metadata: { ...current.metadata, labels },
        spec: withSecrets(current.spec, body.spec),
      };
      const isApplied = stableJson(next) === stableJson(current);
      checkRevision('webhook', current, { body, allowedRevs, isApplied });
      return next;
    });
    return answerWebhook(replaced, principal);
  };
}

/** A spec that names no secret keeps those of the webhook. */
function withSecrets(current: WebhookSpec, next: WebhookSpec): WebhookSpec {
  if (next.secretRef !== undefined) return next;
  const { secretRef, previousSecretRef, previousSecretExpiresAt } = current;
  return { ...next, ...compact({ secretRef, previousSecretRef, previousSecretExpiresAt }) };
}
