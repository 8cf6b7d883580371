import { hashOf } from '../lib/hash.ts';

/** Cryptographically random bytes; `purpose` distinguishes several draws within one request. */
export type RandomBytes = (purpose: string, length: number) => Buffer;

/** The first letter of an id, by what it identifies. */
const prefixes = {
  workspace: 'w',
  invitation: 'i',
  apiKey: 'k',
  session: 's',
  link: 'l',
  passkey: 'y',
} as const;

/** A new id: a letter and 96 random bits in hexadecimal. */
export function newId(kind: keyof typeof prefixes, random: RandomBytes): string {
  return prefixes[kind] + random(`${kind} id`, 12).toString('hex');
}

/** Whether `id` has the format of `newId`, so that malformed ids are never looked up. */
export function isId(kind: keyof typeof prefixes, id: string): boolean {
  return id.startsWith(prefixes[kind]) && /^[a-z][0-9a-f]{24}$/.test(id);
}

/**
 * The id of the account that accepting this invitation creates: the same on every replica and at every attempt. It does not
 * depend on the e-mail address, which nobody has proven to own. `shown`: the proof that was given besides the token; a
 * different proof never leads to the same account.
 */
export function invitedUserIdOf(invitationId: string, shown: readonly string[] = []): string {
  return `u${hashOf(['invited user', invitationId, ...shown]).slice(0, 24)}`;
}

/** The id of a user's personal workspace, unless the account names another. */
export function personalWorkspaceIdOf(userId: string): string {
  return `p${hashOf(['personal workspace', userId]).slice(0, 24)}`;
}

/** The name of a membership: one for each user in a workspace. */
export function membershipName(workspaceId: string, userId: string): string {
  return `${workspaceId}.${userId}`;
}

export interface DefaultWorkspace {
  id: string;
  namespace: string;
}

/** The workspace whose objects are in a namespace: the reverse of `namespaceOf`. */
export function workspaceIdOf(namespace: string, defaultWorkspace: DefaultWorkspace): string {
  return namespace === defaultWorkspace.namespace ? defaultWorkspace.id : namespace.replace(/^slipway-/, '');
}

/** The Kubernetes namespace of a workspace. */
export function namespaceOf(workspaceId: string, defaultWorkspace: DefaultWorkspace): string {
  return workspaceId === defaultWorkspace.id ? defaultWorkspace.namespace : `slipway-${workspaceId}`;
}
