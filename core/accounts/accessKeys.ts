import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

/** What an access key of a network's RPC URL opens: ordinary methods, or also those that manipulate the chain. */
export const accessLevels = ['public', 'admin'] as const;
export type Access = (typeof accessLevels)[number];

interface AccessKeyInput {
  networkUid: string;
  access: Access;
  /** How often the network's key for this access was rotated. */
  epoch: number;
}

/**
 * The access key in a network's RPC URLs: HMAC-SHA-256 of the network's uid, the access level and its epoch under a key
 * of the installation; the first 18 bytes in base64url (24 characters). Nothing is stored.
 */
export function accessKeyOf(key: Uint8Array, { networkUid, access, epoch }: AccessKeyInput): string {
  return macOf(key, `rpc/${access}/${epoch}/${networkUid}`).subarray(0, 18).toString('base64url');
}

/**
 * The key in the host name of one service: the first 12 bytes of an HMAC as above, in lower-case base32 (20 characters),
 * since host names have no case. It opens no other service and no URL.
 */
export function hostKeyOf(key: Uint8Array, input: AccessKeyInput & { service: string }): string {
  const { networkUid, access, epoch, service } = input;
  return base32(macOf(key, `host/${service}/${access}/${epoch}/${networkUid}`).subarray(0, 12));
}

function macOf(key: Uint8Array, text: string): Buffer {
  return createHmac('sha256', keyObjectOf(key)).update(text).digest();
}

/** RFC 4648 without padding, in lower case. */
function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => alphabet[Number.parseInt(group.padEnd(5, '0'), 2)]).join('');
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';

/** Every reconcile needs access keys, and creating a KeyObject costs more than the HMAC itself. */
const keyObjects = new WeakMap<Uint8Array, KeyObject>();

function keyObjectOf(bytes: Uint8Array): KeyObject {
  const known = keyObjects.get(bytes) ?? createSecretKey(bytes);
  keyObjects.set(bytes, known);
  return known;
}
