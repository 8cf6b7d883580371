import { createHmac, type KeyObject } from 'node:crypto';
import { rolePermissions } from '../../core/api/permissions.ts';
import type { Principal } from './principal.ts';

/** A known API key: the hash of its secret and who it speaks for. */
export interface KnownKey {
  hash: Buffer;
  principal: Principal;
}

/** The seam to wherever API keys are kept. `find` answers from memory. */
export interface KeySource {
  find(keyId: string): KnownKey | undefined;
}

/** HMAC-SHA-256 of an API key's secret: 256 random bits need no slow hash, and the pepper is not stored with it. */
export function hashOfKeySecret(pepper: KeyObject, keySecret: string): Buffer {
  return createHmac('sha256', pepper).update(keySecret).digest();
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
    hash: hashOfKeySecret(pepper, keySecret),
    principal: {
      userId: 'admin',
      keyId,
      workspaceId: workspace.id,
      namespace: workspace.namespace,
      role: 'owner',
      permissions: new Set(rolePermissions.owner),
    },
  };
  return { find: (wanted) => (wanted === keyId ? key : undefined) };
}
