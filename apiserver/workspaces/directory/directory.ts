import type {
  ApiKeyResource,
  MembershipResource,
  SessionResource,
  UserResource,
  WorkspaceResource,
} from '../../../core/api/resources/accountResources.ts';
import type { KubeObject, ResourceType } from '../../../core/api/resources/kubeObject.ts';
import {
  apiKeyType,
  membershipType,
  sessionType,
  userType,
  workspaceType,
} from '../../../core/api/resources/resources.ts';
import {
  createReflector,
  type Reflector,
  type ReflectorOptions,
} from '../../../core/kube/cache/reflector.ts';
import type { Clock } from '../../../core/lib/clock.ts';
import type { Store } from '../../store/kubeErrors.ts';
import type { Budget } from './budget.ts';
import { createLookup, type Lookup } from './lookup.ts';

type CachesOptions = Pick<ReflectorOptions<never>, 'kube' | 'log' | 'clock' | 'kubeMetrics'>;
type AccountCaches = ReturnType<typeof createAccountCaches>;

/** Reflectors of the objects that authenticate requests, all in the namespace of the service; not yet started. */
export function createAccountCaches(options: CachesOptions, namespace: string) {
  return {
    workspaces: createReflector({ ...options, type: workspaceType, namespace }),
    users: createReflector({ ...options, type: userType, namespace }),
    memberships: createReflector({ ...options, type: membershipType, namespace }),
    apiKeys: createReflector({ ...options, type: apiKeyType, namespace }),
    sessions: createReflector({ ...options, type: sessionType, namespace }),
  };
}

/** Looks up accounts by name. */
export interface Directory {
  workspaces: Lookup<WorkspaceResource>;
  users: Lookup<UserResource>;
  memberships: Lookup<MembershipResource>;
  apiKeys: Lookup<ApiKeyResource>;
  sessions: Lookup<SessionResource>;
}

interface DirectoryOptions {
  kube: Pick<Store, 'get'>;
  caches: AccountCaches;
  namespace: string;
  clock: Clock;
  budget: Budget;
}

export function createDirectory(options: DirectoryOptions): Directory {
  const { kube, caches, namespace, clock, budget } = options;
  const lookup = <T extends KubeObject>(reflector: Reflector<T>, type: ResourceType<T>): Lookup<T> =>
    createLookup({ kube, reflector, type, namespace, clock, budget });
  return {
    workspaces: lookup(caches.workspaces, workspaceType),
    users: lookup(caches.users, userType),
    memberships: lookup(caches.memberships, membershipType),
    apiKeys: lookup(caches.apiKeys, apiKeyType),
    sessions: lookup(caches.sessions, sessionType),
  };
}
