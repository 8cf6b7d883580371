import type { DefaultWorkspace } from '../../../core/accounts/ids.ts';
import { rolePermissions } from '../../../core/api/access/permissions.ts';
import { adminUserId } from '../../../core/api/names.ts';
import type { UserResource } from '../../../core/api/resources/accountResources.ts';
import { userType } from '../../../core/api/resources/resources.ts';
import type { ApiKey } from '../../../core/api/rest/access.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { type Clock, parseRfc3339, toRfc3339 } from '../../../core/lib/clock.ts';
import { compact } from '../../../core/lib/compact.ts';
import type { Log } from '../../../core/lib/log.ts';
import type { KeySource } from '../../http/auth/keySource.ts';
import { notFound } from '../../store/find.ts';
import type { Store } from '../../store/kubeErrors.ts';
import { updateLive } from '../../store/updateLive.ts';
import type { Directory } from '../directory/directory.ts';
import type { LiveKeySource } from './keySource.ts';
import { createNoteUse } from './lastUse.ts';

export interface BootstrapKeyOptions {
  kube: Store;
  directory: Directory;
  namespace: string;
  defaultWorkspace: DefaultWorkspace;
  keyId: string;
  /** RFC 3339, or empty. */
  expiresAt: string;
  /** The key as the Secret has it. */
  initial: KeySource;
  clock: Clock;
  log: Log;
}

/** The first API key of an installation, whose use and revocation are kept in the status of the administrator. */
export interface BootstrapKey {
  keyId: string;
  source: LiveKeySource;
  /** Undefined once it is revoked. */
  describe(): Promise<ApiKey | undefined>;
  /** False if it was revoked already. */
  revoke(): Promise<boolean>;
}

export function createBootstrapKey(options: BootstrapKeyOptions): BootstrapKey {
  const { directory, keyId, expiresAt, initial, clock } = options;
  const noteUse = createNoteUse(options, {
    type: userType,
    read: ({ status }) => status?.bootstrapKey?.lastUsedAt,
    statusOf: (lastUsedAt) => ({ bootstrapKey: { lastUsedAt } }),
  });
  const findUsed = async (read: 'find' | 'findLive' = 'find') => {
    const user = await directory.users[read](adminUserId);
    return { user, isRevoked: user?.status?.bootstrapKey?.revokedAt !== undefined };
  };
  const hasExpired = () => {
    const endMs = parseRfc3339(expiresAt);
    return endMs !== undefined && endMs <= clock.nowMs();
  };
  const find = async (wanted: string, read: 'find' | 'findLive') => {
    const known = await initial.find(wanted);
    if (!known || hasExpired()) return undefined;
    const { user, isRevoked } = await findUsed(read);
    // No other key in the Secret is valid either: an upgrade may have generated it.
    if (isRevoked) return undefined;
    return { ...known, noteUse: () => user && noteUse(user) };
  };
  return {
    keyId,
    source: {
      find: (wanted) => find(wanted, 'find'),
      findLive: (wanted) => find(wanted, 'findLive'),
    },
    async describe() {
      const { user, isRevoked } = await findUsed();
      return isRevoked ? undefined : toApiKey(options, user);
    },
    revoke: () => writeRevocation(options),
  };
}

function toApiKey(
  { keyId, expiresAt, defaultWorkspace }: BootstrapKeyOptions,
  user: Stored<UserResource> | undefined,
): ApiKey {
  return {
    kind: 'ApiKey',
    version: 'v1alpha1',
    id: keyId,
    workspaceID: defaultWorkspace.id,
    userID: adminUserId,
    name: 'first key of the installation',
    role: 'owner',
    permissions: [...rolePermissions.owner],
    ...compact({
      createdAt: user?.metadata.creationTimestamp,
      expiresAt: expiresAt || undefined,
      lastUsedAt: user?.status?.bootstrapKey?.lastUsedAt,
    }),
  };
}

/** Of several requests, on any replica, one revokes it. */
async function writeRevocation({ kube, namespace, clock }: BootstrapKeyOptions): Promise<boolean> {
  let isOurs = false;
  const target = { type: userType, namespace, name: adminUserId, subresource: 'status' } as const;
  const absent = () => notFound('User');
  await updateLive(kube, { ...target, absent }, (current) => {
    const { bootstrapKey } = current.status ?? {};
    isOurs = bootstrapKey?.revokedAt === undefined;
    if (!isOurs) return current;
    const revokedAt = toRfc3339(clock.nowMs());
    return { ...current, status: { ...current.status, bootstrapKey: { ...bootstrapKey, revokedAt } } };
  });
  return isOurs;
}
