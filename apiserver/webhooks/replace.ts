import type { WebhookInput, WebhookResource, WebhookSpec } from '../../core/api/resources/webhook.ts';
import { withUserLabels } from '../../core/api/userLabels.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { compact } from '../../core/lib/compact.ts';
import { AppError, type ErrorDetail } from '../../core/lib/errors.ts';
import type { Handler } from '../http/pipeline/handler.ts';
import { revisionsOf } from '../http/pipeline/ifMatch.ts';
import { changeWebhook } from './change.ts';
import { checkSpec } from './check.ts';
import type { WebhookDeps } from './deps.ts';
import { answerWebhook, idOf, revOf } from './mapping.ts';

/** Replaces the spec. If a revision is given (metadata.rev or If-Match), it must still be the current one. */
export function replaceWebhook(deps: WebhookDeps): Handler<'replaceWebhook'> {
  return async ({ principal, params, body, ifMatch }) => {
    const allowedRevs = revisionsOf(ifMatch);
    const found = await deps.find(principal.namespace, params.id);
    checkIdentity(found, body);
    await checkSpec(deps, principal.namespace, body.spec);
    const given = body.metadata?.labels;
    const replaced = await changeWebhook(deps, found, (current) => {
      checkRevision(current, body.metadata?.rev === undefined ? undefined : [body.metadata.rev]);
      checkRevision(current, allowedRevs);
      const labels = given ? withUserLabels(current, given) : (current.metadata.labels ?? {});
      return {
        ...current,
        metadata: { ...current.metadata, labels },
        spec: withSecrets(current.spec, body.spec),
      };
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

function checkIdentity(current: Stored<WebhookResource>, body: WebhookInput): void {
  const { name } = current.metadata;
  const rules: [path: string, given: string | undefined, actual: string][] = [
    ['id', body.id, idOf(current)],
    ['name', body.name, name],
    ['metadata.name', body.metadata?.name, name],
  ];
  const details: ErrorDetail[] = rules
    .filter(([, given, actual]) => given !== undefined && given !== actual)
    .map(([path, , actual]) => ({ path, message: `is immutable: send "${actual}" or omit it` }));
  if (details.length === 0) return;
  const list = details.map(({ path, message }) => `${path} ${message}`).join('; ');
  throw new AppError('BadRequest', `the request changes immutable fields: ${list}`, { details });
}

function checkRevision(current: Stored<WebhookResource>, allowed: number[] | undefined): void {
  const rev = revOf(current);
  if (allowed === undefined || allowed.includes(rev)) return;
  const remedy = 'read it again and apply your change to that revision';
  throw new AppError('Conflict', `the webhook was modified; its revision is now ${rev}: ${remedy}`);
}
