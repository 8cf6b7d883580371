import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

/** What an access key of a network's RPC URL opens: ordinary methods, or also those that manipulate the chain. */
export const accessLevels = ['public', 'admin'] as const;
export type Access = (typeof accessLevels)[number];

/** The network that a key opens: copying somebody else's id as a label into another namespace gives access to nothing. */
export interface KeyScope {
  id: string;
  /** Undefined for a network of 0.3, whose id is its uid: its keys cover the id alone. */
  namespace?: string | undefined;
}

interface AccessKeyInput {
  scope: KeyScope;
  access: Access;
  /** How often the network's key for this access was rotated. */
  epoch: number;
}

/** Characters at the beginning of a key by which Slipway recognises a key for this id before it knows the network. */
const markLength = 4;

/**
 * The access key in a network's RPC URLs, 24 characters: a mark for the id, and HMAC-SHA-256 of the scope, the access level and
 * its epoch under a key of the installation, the first 15 bytes in base64url. Nothing is stored.
 */
export function accessKeyOf(key: Uint8Array, { scope, access, epoch }: AccessKeyInput): string {
  const mac = macOf(key, `rpc/${access}/${epoch}/${textOf(scope)}`);
  if (scope.namespace === undefined) return mac.subarray(0, 18).toString('base64url');
  return `${markOf(key, scope.id, false)}${mac.subarray(0, 15).toString('base64url')}`;
}

/**
 * A key with a name in a network's RPC URLs, of the same form: the HMAC is of the scope, the name and its epoch, which grows when the key
 * is revoked.
 */
export function namedKeyOf(key: Uint8Array, { scope, name, epoch }: NamedKeyInput): string {
  const mac = macOf(key, `rpc/named/${name}/${epoch}/${textOf(scope)}`);
  return `${markOf(key, scope.id, false)}${mac.subarray(0, 15).toString('base64url')}`;
}

interface NamedKeyInput {
  scope: Required<KeyScope>;
  name: string;
  epoch: number;
}

/**
 * The key in the host name of one service, 20 characters: the same in lower-case base32, with the first 10 bytes of the HMAC, since host
 * names have no case. It opens no other service and no URL.
 */
export function hostKeyOf(key: Uint8Array, input: AccessKeyInput & { service: string }): string {
  const { scope, access, epoch, service } = input;
  const mac = macOf(key, `host/${service}/${access}/${epoch}/${textOf(scope)}`);
  if (scope.namespace === undefined) return base32(mac.subarray(0, 12));
  return `${markOf(key, scope.id, true)}${base32(mac.subarray(0, 10))}`;
}

/**
 * Whether a key has the mark of an id. The mark gives no access: it only avoids waiting for networks that a guessed key names.
 */
export function isMarked(key: Uint8Array, accessKey: string, { id, isHosted }: Marked): boolean {
  return accessKey.startsWith(markOf(key, id, isHosted));
}

interface Marked {
  id: string;
  /** Whether it is the key in a host name. */
  isHosted: boolean;
}

function markOf(key: Uint8Array, id: string, isHosted: boolean): string {
  const mac = macOf(key, `mark/${id}`).subarray(0, 3);
  return isHosted ? base32(mac).slice(0, markLength) : mac.toString('base64url').slice(0, markLength);
}

function textOf({ namespace, id }: KeyScope): string {
  return namespace === undefined ? id : `${namespace}/${id}`;
}

/**
 * The seal that lets a network keep the keys of 0.3: an HMAC as above of its namespace and id, 24 characters. Only the operator writes it,
 * so that nobody gets them by a label.
 */
export function formerKeysSeal(key: Uint8Array, { namespace, id }: Required<KeyScope>): string {
  return macOf(key, `former/${namespace}/${id}`).subarray(0, 18).toString('base64url');
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
