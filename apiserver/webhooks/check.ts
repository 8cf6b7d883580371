import type { WebhookSpec } from '../../core/api/resources/webhook.ts';
import { userLabelsSchema } from '../../core/api/userLabels.ts';
import { type ErrorDetail, messageOf, refusalWith } from '../../core/lib/errors.ts';
import { openSigningKey } from '../../core/webhooks/signingSecrets.ts';
import { refuseTarget } from '../../core/webhooks/target.ts';
import type { WebhookDeps } from './deps.ts';

/** Throws BadRequest with everything that is wrong with the spec of a webhook in this namespace. */
export function checkSpec(deps: WebhookDeps, namespace: string, spec: WebhookSpec): void {
  const details = [...checkTarget(deps, spec), ...checkLabels(spec), ...checkSecrets(deps, namespace, spec)];
  if (details.length > 0) throw refusalWith('the webhook cannot be used', details);
}

function checkTarget({ deliveries }: WebhookDeps, { url }: WebhookSpec): ErrorDetail[] {
  const message = refuseTarget(url, deliveries);
  return message === undefined ? [] : [{ path: 'spec.url', message }];
}

/** Labels that no object can have would match nothing. */
function checkLabels({ selector }: WebhookSpec): ErrorDetail[] {
  const { error } = userLabelsSchema.safeParse(selector?.matchLabels ?? {});
  return (error?.issues ?? []).map(({ path, message }) => ({
    path: ['spec.selector.matchLabels', ...path].join('.'),
    message,
  }));
}

/** Secrets must exist before their webhook: a mistake is better refused than reported later. */
function checkSecrets(
  { secrets, sealer }: WebhookDeps,
  namespace: string,
  { secretRef, previousSecretRef }: WebhookSpec,
): ErrorDetail[] {
  const given = Object.entries({ secretRef, previousSecretRef });
  if (given.every(([, ref]) => ref === undefined)) return [];
  return given.flatMap(([member, ref]) => {
    try {
      if (ref) openSigningKey(sealer, ref.name, (name) => secrets.cache.byName(namespace, name)).fill(0);
      return [];
    } catch (error) {
      return [{ path: `spec.${member}`, message: messageOf(error) }];
    }
  });
}
