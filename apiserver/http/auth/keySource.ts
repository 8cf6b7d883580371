import type { KeyObject } from 'node:crypto';
import { hashOfSecret } from '../../../core/accounts/credentials.ts';
import { rolePermissions } from '../../../core/api/access/permissions.ts';
import { adminUserId } from '../../../core/api/names.ts';
import type { Principal } from './principal.ts';

/** A known API key: the hash of its secret, and its user. */
export interface KnownKey {
  hash: Buffer;
  /** The account that its requests count for. */
  userId: string;
  /** In the key's own workspace; undefined if its user is no longer a member of it. */
  principal: Principal | undefined;
  /** The id of a workspace that its user cannot be removed from. */
  home?: string;
  /** In another workspace; undefined if the user is not a member. Absent if the key works in one workspace only. */
  enter?(workspaceId: string): Promise<Principal | undefined>;
  /** Called when the key has been used successfully. */
  noteUse?(): void;
}

/** Abstracts the storage of API keys. */
export interface KeySource {
  find(keyId: string): KnownKey | undefined | Promise<KnownKey | undefined>;
}

export interface BootstrapKey {
  keyId: string;
  keySecret: string;
  pepper: KeyObject;
  workspace: { id: string; namespace: string };
}

/** The initial key of an installation: user `admin`, owner of the default workspace. */
export function createBootstrapKeySource({ keyId, keySecret, pepper, workspace }: BootstrapKey): KeySource {
  const key: KnownKey = {
    hash: hashOfSecret(pepper, 'apiKey', keySecret),
    userId: adminUserId,
    principal: {
      userId: adminUserId,
      keyId,
      workspaceId: workspace.id,
      namespace: workspace.namespace,
      role: 'owner',
      permissions: new Set(rolePermissions.owner),
    },
  };
  return { find: (wanted) => (wanted === keyId ? key : undefined) };
}
