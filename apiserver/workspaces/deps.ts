import type { KeyObject } from 'node:crypto';
import type { DefaultWorkspace } from '../../core/accounts/ids.ts';
import { adminUserId } from '../../core/api/names.ts';
import type { Clock } from '../../core/lib/clock.ts';
import type { Cursors } from '../http/paging/cursor.ts';
import type { Store } from '../store/kubeErrors.ts';
import type { Budget } from './directory/budget.ts';
import type { Directory } from './directory/directory.ts';

/** What the handlers of the Workspace API stand on. */
export interface WorkspaceDeps {
  kube: Store;
  directory: Directory;
  /** The service's own, where accounts are kept. */
  namespace: string;
  defaultWorkspace: DefaultWorkspace;
  pepper: KeyObject;
  /** Of questions that strangers can cause. */
  budget: Budget;
  /** Workspaces that a user may own, the personal one not among them. */
  maxWorkspaces: number;
  cursors: Cursors;
  clock: Clock;
}

/** The administrator belongs to the default workspace as long as the installation's first key does. */
export function isFixedMember(
  { defaultWorkspace }: WorkspaceDeps,
  workspaceId: string,
  userId: string,
): boolean {
  return workspaceId === defaultWorkspace.id && userId === adminUserId;
}
