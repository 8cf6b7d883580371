import { createCipheriv, randomBytes } from 'node:crypto';

/** Sealed data of version 1, which was bound to namespace and name but not to an owner. */
export function sealFormerly(
  [keyId, masterKey]: readonly [string, Buffer],
  plain: Uint8Array,
  { namespace, name }: { namespace: string; name: string },
): string {
  const dataKey = randomBytes(32);
  const wrapped = encrypt(masterKey, dataKey, `slipway/key/${namespace}/${name}`);
  const body = encrypt(dataKey, plain, `slipway/data/${namespace}/${name}`);
  return `slipway:v1:${keyId}:${wrapped}:${body}`;
}

function encrypt(key: Uint8Array, plain: Uint8Array, aad: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(aad));
  const box = [nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat(box).toString('base64url');
}
