import type { KeyObject } from 'node:crypto';
import { hashOfSecret } from '../../../core/accounts/credentials.ts';
import { rolePermissions } from '../../../core/api/access/permissions.ts';
import { adminUserId } from '../../../core/api/names.ts';
import type { Principal } from './principal.ts';

/** A known API key: the hash of its secret and who it speaks for. */
export interface KnownKey {
  hash: Buffer;
  /** In the key's own workspace; undefined when its user is no member of that any more. */
  principal: Principal | undefined;
  /** In another workspace of its user; undefined when the user is no member of it. Absent: there is no other. */
  enter?(workspaceId: string): Promise<Principal | undefined>;
  /** Called when the key was used and found right. */
  noteUse?(): void;
}

/** The seam to wherever API keys are kept. */
export interface KeySource {
  find(keyId: string): KnownKey | undefined | Promise<KnownKey | undefined>;
}

export interface BootstrapKey {
  keyId: string;
  keySecret: string;
  pepper: KeyObject;
  workspace: { id: string; namespace: string };
}

/** The one key that an installation begins with: user `admin`, owner of the default workspace. */
export function createBootstrapKeySource({ keyId, keySecret, pepper, workspace }: BootstrapKey): KeySource {
  const key: KnownKey = {
    hash: hashOfSecret(pepper, 'apiKey', keySecret),
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
