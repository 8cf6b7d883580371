import { createHash, createHmac, createPrivateKey, createPublicKey } from 'node:crypto';
import type { PluginInput } from '../plugin.ts';
import { idOf } from './ids.ts';

/** What a user signs in with, and the part of it that the server knows. All of it derives from the network's secrets. */
export interface DfnsCredentials {
  organisation: string;
  user: string;
  credentialId: string;
  /** PEM. */
  privateKey: string;
  publicKey: string;
  /** A JWT, whose claims the SDK compares with the organisation. */
  token: string;
}

/** RFC 8410: what precedes the 32 bytes of an Ed25519 private key in PKCS #8. */
const ed25519Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

export function credentialsOf({ deriveSecret }: Pick<PluginInput, 'deriveSecret'>): DfnsCredentials {
  const idFor = (prefix: string) => idOf(prefix, sha256(`${prefix}/${deriveSecret('ids')}`));
  const [organisation, user] = [idFor('or'), idFor('us')];
  const seed = Buffer.from(deriveSecret('credential'), 'hex');
  const key = createPrivateKey({ key: Buffer.concat([ed25519Prefix, seed]), format: 'der', type: 'pkcs8' });
  const claims = {
    iss: 'slipway',
    sub: user,
    'https://custom/app_metadata': { orgId: organisation, userId: user },
  };
  return {
    organisation,
    user,
    credentialId: idFor('cr'),
    privateKey: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKey: createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString(),
    token: jwtOf(claims, deriveSecret('token')),
  };
}

/** HS256 (RFC 7515). It has no end: a new key of the installation for engines gives another one. */
function jwtOf(claims: object, secret: string): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`;
  return `${text}.${createHmac('sha256', Buffer.from(secret, 'hex')).update(text).digest('base64url')}`;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
