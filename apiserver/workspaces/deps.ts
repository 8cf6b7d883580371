import type { KeyObject } from 'node:crypto';
import type { DefaultWorkspace } from '../../core/accounts/ids.ts';
import type { Installation } from '../../core/api/installation.ts';
import { adminUserId } from '../../core/api/names.ts';
import type { Clock } from '../../core/lib/clock.ts';
import type { Cursors } from '../http/paging/cursor.ts';
import type { Store } from '../store/kubeErrors.ts';
import type { BootstrapKey } from './apiKeys/bootstrapKey.ts';
import type { LiveKeySource } from './apiKeys/keySource.ts';
import type { Budget } from './directory/budget.ts';
import type { Directory } from './directory/directory.ts';
import type { SignIn } from './signIn.ts';

/** What is known of accounts, and how they are changed. */
export interface WorkspaceDeps {
  kube: Store;
  directory: Directory;
  /** The namespace of the service, where accounts are stored. */
  namespace: string;
  defaultWorkspace: DefaultWorkspace;
  bootstrapKey: BootstrapKey;
  /** All API keys, by id. */
  keys: LiveKeySource;
  pepper: KeyObject;
  /** Where users reach the service. */
  publicUrl: string;
  /** Bounds the live lookups that unauthenticated callers can cause. */
  budget: Budget;
  quota: Pick<Installation['quota'], 'workspaces' | 'accounts' | 'accountsPerUser' | 'apiKeys'>;
  cursors: Cursors;
  clock: Clock;
}

/** Dependencies of the handlers of the Workspace API. */
export interface WorkspaceApiDeps extends WorkspaceDeps {
  /** Absent where everybody has an API key. */
  signIn: SignIn | undefined;
  /** Whether invitations are mailed. */
  hasMail: boolean;
}

/** The administrator cannot leave the default workspace, because the initial key of the installation belongs to it. */
export function isFixedMember(
  { defaultWorkspace }: WorkspaceDeps,
  workspaceId: string,
  userId: string,
): boolean {
  return workspaceId === defaultWorkspace.id && userId === adminUserId;
}
