import type { Principal } from '../../../apiserver/http/auth/principal.ts';
import { isKnownPattern, readPermissionsOf, typesOf } from '../../../core/api/events/eventTypes.ts';
import { userLabelsSchema } from '../../../core/api/userLabels.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { AppError, type ErrorDetail, messageOf, refusalWith } from '../../../core/lib/errors.ts';
import type { WebhookResource, WebhookSpec } from '../api/webhook.ts';
import { openSigningKey, type Signer, signerOf } from '../core/signingSecrets.ts';
import { refuseTarget } from '../core/target.ts';
import type { WebhookDeps } from './deps.ts';

interface Given {
  /** Whoever writes the spec. */
  principal: Principal;
  spec: WebhookSpec;
  /** The webhook whose spec it replaces; undefined for a new one. */
  webhook?: Stored<WebhookResource>;
}

/**
 * Throws BadRequest with everything that is wrong with the spec of a webhook, and Forbidden if it would send what its writer may not
 * read.
 */
export function checkSpec(deps: WebhookDeps, given: Given): void {
  checkReading(given);
  const details = [
    ...checkTarget(deps, given.spec),
    ...checkLabels(given.spec),
    ...checkTypes(given.spec),
    ...checkSecrets(deps, given),
  ];
  if (details.length > 0) throw refusalWith('the webhook cannot be used', details);
}

/** What a webhook sends does not depend on who reads it: only whoever may read the events chooses where they go. */
function checkReading({ principal: { permissions }, spec: { types = ['*'] } }: Given): void {
  const lacking = readPermissionsOf(typesOf(types)).filter((permission) => !permissions.has(permission));
  if (lacking.length === 0) return;
  const message = `the events of this webhook need ${lacking.join(', ')}, which you lack: name types that you may read`;
  throw new AppError('Forbidden', message, { details: [{ path: 'spec.types', message }] });
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

/** A type that does not exist would never be sent. */
function checkTypes({ types = [] }: WebhookSpec): ErrorDetail[] {
  return types.flatMap((pattern, index) => {
    if (isKnownPattern(pattern)) return [];
    const message = `${pattern} selects no type of event: docs/events.md lists them`;
    return [{ path: `spec.types[${index}]`, message }];
  });
}

/** Secrets must exist before their webhook: a mistake is better refused than reported later. */
function checkSecrets(
  { secrets, sealer }: WebhookDeps,
  { principal: { namespace, userId }, spec: { secretRef, previousSecretRef }, webhook }: Given,
): ErrorDetail[] {
  const given = Object.entries({ secretRef, previousSecretRef });
  const signer = webhook ? signerOf(webhook) : { owner: userId, uid: undefined, id: undefined };
  const known = [webhook?.spec.secretRef?.name, webhook?.spec.previousSecretRef?.name];
  // Nobody signs with the secret of somebody else, not even for that member's webhook; one that it has already may stay.
  const signerFor = (name: string): Signer =>
    known.includes(name) || signer.owner === userId ? signer : { ...signer, owner: undefined };
  const find = (name: string) => secrets.cache.byName(namespace, name);
  if (given.every(([, ref]) => ref === undefined)) return [];
  return given.flatMap(([member, ref]) => {
    try {
      if (ref) openSigningKey(sealer, { name: ref.name, signer: signerFor(ref.name), find }).fill(0);
      return [];
    } catch (error) {
      return [{ path: `spec.${member}`, message: messageOf(error) }];
    }
  });
}
