import type { SecretResource } from '../api/resources/secret.ts';
import { isSealed, type Sealer } from './seal.ts';
import { decodeSecretData } from './secretData.ts';

/**
 * The raw bytes of a stored Secret; the caller wipes them after use. Data that is not sealed, because the webhook
 * was not installed when it was created, is decoded as plain base64. Throws Internal when sealed data cannot be opened,
 * BadRequest when plain data is not canonical base64.
 */
export function openSecret(sealer: Pick<Sealer, 'unseal'>, { metadata, spec }: SecretResource): Buffer {
  const { name, namespace } = metadata;
  return isSealed(spec.data)
    ? sealer.unseal(spec.data, { namespace, name })
    : decodeSecretData(spec.type, spec.data, 'spec.data');
}
