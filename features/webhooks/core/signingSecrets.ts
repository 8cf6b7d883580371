import { openSecret } from '../../../core/accounts/openSecret.ts';
import type { Sealer } from '../../../core/accounts/seal.ts';
import { idOf } from '../../../core/api/ids.ts';
import { apiVersion, labels } from '../../../core/api/names.ts';
import { ownerReferenceTo } from '../../../core/api/resources/kubeObject.ts';
import type { SecretResource } from '../../../core/api/resources/secret.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { parseRfc3339 } from '../../../core/lib/clock.ts';
import { compact } from '../../../core/lib/compact.ts';
import { AppError, messageOf } from '../../../core/lib/errors.ts';
import type { WebhookResource, WebhookSpec } from '../api/webhook.ts';
import { parseSigningSecret, signingSecretType } from './signature.ts';

/** The name of the Secret that is generated for a webhook whose spec names none. */
export function generatedNameOf(webhook: Stored<WebhookResource>): string {
  return `webhook-${idOf(webhook)}`;
}

/** The name of the Secret that signs the deliveries of a webhook. */
export function secretNameOf(webhook: Stored<WebhookResource>): string {
  return webhook.spec.secretRef?.name ?? generatedNameOf(webhook);
}

/**
 * The Secret for a signing secret, deleted with its webhook. It has no owner, because its owner could read it back: it
 * is shown once.
 */
export function newSecretObject(
  sealer: Pick<Sealer, 'seal'>,
  webhook: Stored<WebhookResource>,
  { name, secret }: { name: string; secret: string },
): SecretResource {
  const { namespace } = webhook.metadata;
  const data = sealer.seal(Buffer.from(secret), { namespace, name, owner: '' });
  return {
    apiVersion,
    kind: 'Secret',
    metadata: {
      name,
      namespace,
      labels: compact({
        [labels.workspace]: webhook.metadata.labels?.[labels.workspace],
        // Also where it is applied again from its manifest, without its owner.
        [labels.webhook]: idOf(webhook),
      }),
      ownerReferences: [ownerReferenceTo(webhook)],
    },
    spec: { type: signingSecretType, data },
  };
}

type FindSecret = (name: string) => SecretResource | undefined;

/** Who signs with a secret. */
export interface Signer {
  /** Id of the member whose webhook it is; undefined if it has no owner, for example because it was created with kubectl. */
  owner: string | undefined;
  /** uid and id of the webhook; undefined before it exists. */
  uid: string | undefined;
  id: string | undefined;
}

export function signerOf(webhook: Stored<WebhookResource>): Signer {
  const { metadata } = webhook;
  return { owner: metadata.labels?.[labels.owner], uid: metadata.uid, id: idOf(webhook) };
}

interface Wanted {
  name: string;
  signer: Signer;
  find: FindSecret;
}

/**
 * The key in a signing secret. Throws BadRequest, NotFound or Forbidden with the name of the Secret, and never quotes its data: a
 * member's secret signs for webhooks of that member alone, and one that was generated for a webhook for that webhook alone.
 */
export function openSigningKey(sealer: Pick<Sealer, 'unseal'>, { name, signer, find }: Wanted): Buffer {
  const secret = find(name);
  if (!secret) {
    const remedy = `create it with the type ${signingSecretType}, or reference another one`;
    throw new AppError('NotFound', `secret "${name}" does not exist in this workspace: ${remedy}`);
  }
  if (secret.spec.type !== signingSecretType) {
    const { type } = secret.spec;
    const remedy = `use one of type ${signingSecretType}`;
    throw new AppError('BadRequest', `secret "${name}" is of type "${type}": ${remedy}`);
  }
  if (!maySign(secret, signer)) {
    const remedy =
      'reference a secret of the owner of the webhook or one without an owner, or none to have one generated';
    throw new AppError(
      'Forbidden',
      `secret "${name}" belongs to another member or another webhook: ${remedy}`,
    );
  }
  const bytes = openSecret(sealer, secret);
  try {
    return parseSigningSecret(bytes.toString('utf8'));
  } catch (error) {
    throw new AppError('BadRequest', `secret "${name}": ${messageOf(error)}`);
  } finally {
    bytes.fill(0);
  }
}

function maySign({ metadata }: SecretResource, { owner, uid, id }: Signer): boolean {
  const generatedFor = metadata.labels?.[labels.webhook];
  if (generatedFor) return generatedFor === id;
  const webhooks = metadata.ownerReferences?.filter(({ kind }) => kind === 'Webhook') ?? [];
  if (webhooks.length > 0) return webhooks.some((webhook) => webhook.uid === uid);
  const ofMember = metadata.labels?.[labels.owner];
  return ofMember === undefined || ofMember === '' || ofMember === owner;
}

/** The keys that sign the deliveries of a webhook at a time: the current one, and the former one during a rotation. */
export function openSigningKeys(
  sealer: Pick<Sealer, 'unseal'>,
  webhook: Stored<WebhookResource>,
  { find, nowMs }: { find: FindSecret; nowMs: number },
): Buffer[] {
  const signer = signerOf(webhook);
  const current = openSigningKey(sealer, { name: secretNameOf(webhook), signer, find });
  const former = formerNameOf(webhook.spec, nowMs);
  // A former secret that somebody deleted signs nothing any more.
  return former === undefined || !find(former)
    ? [current]
    : [current, openSigningKey(sealer, { name: former, signer, find })];
}

function formerNameOf({ previousSecretRef, previousSecretExpiresAt }: WebhookSpec, nowMs: number) {
  const untilMs = parseRfc3339(previousSecretExpiresAt) ?? Number.POSITIVE_INFINITY;
  return nowMs < untilMs ? previousSecretRef?.name : undefined;
}
