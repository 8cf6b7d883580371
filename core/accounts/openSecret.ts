import { labels } from '../api/names.ts';
import type { SecretResource } from '../api/resources/secret.ts';
import { isSealed, type Sealer, type SecretLocation } from './seal.ts';
import { decodeSecretData } from './secretData.ts';

/**
 * The raw bytes of a stored Secret; the caller wipes them after use. Data that is not sealed, because the webhook
 * was not installed when it was created, is decoded as plain base64. Throws Internal when sealed data cannot be opened,
 * BadRequest when plain data is not canonical base64.
 */
export function openSecret(sealer: Pick<Sealer, 'unseal'>, { metadata, spec }: SecretResource): Buffer {
  return isSealed(spec.data)
    ? sealer.unseal(spec.data, locationOf(metadata))
    : decodeSecretData(spec.data, 'spec.data');
}

/** What the data of a stored Secret is bound to. The owner is the one that its label names. */
export function locationOf({ namespace, name, labels: given }: SecretResource['metadata']): SecretLocation {
  return { namespace, name, owner: given?.[labels.owner] ?? '' };
}
